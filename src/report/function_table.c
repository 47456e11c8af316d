#include "report/function_table.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- Cells --------------------------------------------------------------- */

static wasm_perf_short_text format_share(const wasm_perf_function_table *table, uint64_t part) {
  return wasm_perf_format_percentage(part, table->tree->nodes[0].total, 2);
}

static wasm_perf_short_text format_sum(const wasm_perf_function_table *table, uint64_t sum) {
  return wasm_perf_format_quotient(sum, table->divisor, table->divisor == 1 ? 0 : 3);
}

static uint64_t self_value(const wasm_perf_function_table *table, const wasm_perf_row *row) {
  (void)table;
  return row->self;
}

static wasm_perf_short_text self_share(const wasm_perf_function_table *table,
                                       const wasm_perf_row *row) {
  return format_share(table, row->self);
}

static wasm_perf_short_text self_sum(const wasm_perf_function_table *table,
                                     const wasm_perf_row *row) {
  return format_sum(table, row->self);
}

/* How far the time may be off for what was taken out of it. */
static uint64_t error_value(const wasm_perf_function_table *table, const wasm_perf_row *row) {
  uint64_t ticks = wasm_perf_hook_time(row->hook_count, table->header->hook_cost_error);
  return wasm_perf_value(table->header, ticks);
}

static wasm_perf_short_text self_error(const wasm_perf_function_table *table,
                                       const wasm_perf_row *row) {
  return format_sum(table, error_value(table, row));
}

static uint64_t total_value(const wasm_perf_function_table *table, const wasm_perf_row *row) {
  (void)table;
  return row->total;
}

static wasm_perf_short_text total_share(const wasm_perf_function_table *table,
                                        const wasm_perf_row *row) {
  return format_share(table, row->total);
}

static wasm_perf_short_text total_sum(const wasm_perf_function_table *table,
                                      const wasm_perf_row *row) {
  return format_sum(table, row->total);
}

static uint64_t call_value(const wasm_perf_function_table *table, const wasm_perf_row *row) {
  (void)table;
  return row->call_count;
}

static wasm_perf_short_text call_count(const wasm_perf_function_table *table,
                                       const wasm_perf_row *row) {
  (void)table;
  return wasm_perf_format_count(row->call_count);
}

static wasm_perf_short_text self_per_call(const wasm_perf_function_table *table,
                                          const wasm_perf_row *row) {
  (void)table;
  if (row->call_count == 0)
    return (wasm_perf_short_text){"-"};
  return wasm_perf_format_quotient(row->self, row->call_count, 1);
}

/* ---- Columns ------------------------------------------------------------- */

static void add_column(wasm_perf_function_table *table, wasm_perf_function_column column,
                       const char *unit) {
  size_t length = strlen(column.heading);
  snprintf(column.heading + length, sizeof column.heading - length, "%s", unit);
  table->columns[table->column_count++] = column;
}

/* One unit for a whole column, so that its numbers compare at a glance. Returns its name. */
static const char *choose_time_unit(wasm_perf_function_table *table) {
  static const struct {
    uint64_t divisor;
    const char *name;
  } units[] = {{1000000000, "s"}, {1000000, "ms"}, {1000, "\xC2\xB5s"}, {1, "ns"}};
  uint64_t total = table->tree->nodes[0].total;
  size_t i = 0;
  while (i < 3 && total / 10 < units[i].divisor)
    i++;
  table->divisor = units[i].divisor;
  return units[i].name;
}

static void add_columns(wasm_perf_function_table *table, bool is_compensated) {
  if (table->unit == WASM_PERF_UNIT_CALLS) {
    add_column(table, (wasm_perf_function_column){"calls %", "calls", self_share, NULL}, "");
    add_column(table, (wasm_perf_function_column){"calls", "calls", call_count, call_value}, "");
    return;
  }
  bool is_time = table->unit == WASM_PERF_UNIT_NANOSECONDS;
  const char *unit = is_time                                      ? choose_time_unit(table)
                     : table->unit == WASM_PERF_UNIT_INSTRUCTIONS ? "instr."
                                                                  : "ticks";
  const char *per_call = is_time ? "self ns/call" : "self/call";
  wasm_perf_function_column per_call_column = {"", "per-call", self_per_call, NULL};
  add_column(table, (wasm_perf_function_column){"self %", "self", self_share, NULL}, "");
  add_column(table, (wasm_perf_function_column){"self ", "self", self_sum, self_value}, unit);
  if (is_compensated)
    add_column(table, (wasm_perf_function_column){"\xC2\xB1 ", "error", self_error, error_value},
               unit);
  add_column(table, (wasm_perf_function_column){"total %", "total", total_share, NULL}, "");
  add_column(table, (wasm_perf_function_column){"total ", "total", total_sum, total_value}, unit);
  add_column(table, (wasm_perf_function_column){"calls", "calls", call_count, call_value}, "");
  add_column(table, per_call_column, per_call);
}

/* ---- The table ----------------------------------------------------------- */

bool wasm_perf_function_table_init(wasm_perf_function_table *table,
                                   const wasm_perf_profile *profile, uint32_t row_limit) {
  memset(table, 0, sizeof *table);
  table->header = &profile->header;
  table->tree = wasm_perf_tree_new(profile, WASM_PERF_NO_DEPTH_LIMIT, 0);
  table->rows = table->tree ? wasm_perf_rows_new(table->tree) : NULL;
  if (!table->rows) {
    wasm_perf_function_table_clear(table);
    return false;
  }
  table->row_count = table->tree->labels.count;
  table->shown_count = table->row_count < row_limit ? table->row_count : row_limit;
  table->unit = wasm_perf_unit_of(table->header);
  table->divisor = 1;
  add_columns(table, profile->hook_time > 0);
  return true;
}

void wasm_perf_function_table_clear(wasm_perf_function_table *table) {
  free(table->rows);
  wasm_perf_tree_free(table->tree);
  memset(table, 0, sizeof *table);
}

wasm_perf_remainder wasm_perf_remainder_of(const wasm_perf_function_table *table) {
  uint64_t self = 0;
  for (uint32_t i = table->shown_count; i < table->row_count; i++)
    self = wasm_perf_add(self, table->rows[i].self);
  wasm_perf_remainder note;
  snprintf(note.text, sizeof note.text, "%s more: %s %% of the %s together",
           wasm_perf_format_count(table->row_count - table->shown_count).text,
           format_share(table, self).text, table->unit == WASM_PERF_UNIT_CALLS ? "calls" : "total");
  return note;
}
