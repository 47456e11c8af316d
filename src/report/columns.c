#include "report/columns.h"

#include <stdio.h>

/* ---- Values -------------------------------------------------------------- */

static uint64_t self_value(const wasm_perf_columns *columns, const wasm_perf_row *row) {
  (void)columns;
  return row->self;
}

static uint64_t total_value(const wasm_perf_columns *columns, const wasm_perf_row *row) {
  (void)columns;
  return row->total;
}

static uint64_t call_value(const wasm_perf_columns *columns, const wasm_perf_row *row) {
  (void)columns;
  return row->call_count;
}

/* How far the time may be off for what was taken out of it. */
static uint64_t error_value(const wasm_perf_columns *columns, const wasm_perf_row *row) {
  uint64_t ticks = wasm_perf_hook_time(row->hook_count, columns->header->hook_cost_error);
  return wasm_perf_value(columns->header, ticks);
}

/* ---- Columns ------------------------------------------------------------- */

static const wasm_perf_column self_share = {"self", "self", WASM_PERF_COLUMN_SHARE, self_value};
static const wasm_perf_column self_sum = {"self", "self", WASM_PERF_COLUMN_SUM, self_value};
static const wasm_perf_column error_sum = {"\xC2\xB1", "error", WASM_PERF_COLUMN_SUM, error_value};
static const wasm_perf_column total_share = {"total", "total", WASM_PERF_COLUMN_SHARE, total_value};
static const wasm_perf_column total_sum = {"total", "total", WASM_PERF_COLUMN_SUM, total_value};
static const wasm_perf_column call_share = {"calls", "calls", WASM_PERF_COLUMN_SHARE, call_value};
static const wasm_perf_column call_count = {"calls", "calls", WASM_PERF_COLUMN_COUNT, call_value};
static const wasm_perf_column self_mean = {"self", "per-call", WASM_PERF_COLUMN_MEAN, self_value};

static void add(wasm_perf_columns *columns, const wasm_perf_column *column) {
  columns->list[columns->count++] = column;
}

static void init(wasm_perf_columns *columns, const wasm_perf_profile *profile, uint64_t whole) {
  wasm_perf_display_unit unit =
      wasm_perf_display_unit_of(wasm_perf_unit_of(&profile->header), whole);
  *columns = (wasm_perf_columns){.header = &profile->header, .unit = unit, .whole = whole};
}

void wasm_perf_columns_init(wasm_perf_columns *columns, const wasm_perf_profile *profile,
                            uint64_t whole) {
  init(columns, profile, whole);
  if (columns->unit.unit == WASM_PERF_UNIT_CALLS) {
    add(columns, &call_share);
    add(columns, &call_count);
    return;
  }
  add(columns, &self_share);
  add(columns, &self_sum);
  if (profile->hook_time > 0)
    add(columns, &error_sum);
  add(columns, &total_share);
  add(columns, &total_sum);
  add(columns, &call_count);
  add(columns, &self_mean);
}

void wasm_perf_columns_init_tree(wasm_perf_columns *columns, const wasm_perf_profile *profile,
                                 uint64_t whole) {
  init(columns, profile, whole);
  add(columns, &total_share);
  add(columns, &total_sum);
  if (columns->unit.unit != WASM_PERF_UNIT_CALLS)
    add(columns, &self_sum);
  add(columns, &call_count);
}

/* ---- Texts --------------------------------------------------------------- */

wasm_perf_short_text wasm_perf_column_heading(const wasm_perf_columns *columns,
                                              const wasm_perf_column *column) {
  bool is_time = columns->unit.unit == WASM_PERF_UNIT_NANOSECONDS;
  const char *gap = "", *unit = "";
  switch (column->kind) {
  case WASM_PERF_COLUMN_SHARE: gap = " ", unit = "%"; break;
  case WASM_PERF_COLUMN_SUM: gap = " ", unit = columns->unit.text; break;
  case WASM_PERF_COLUMN_COUNT: break;
  case WASM_PERF_COLUMN_MEAN: unit = is_time ? " ns/call" : "/call"; break;
  }
  wasm_perf_short_text heading;
  snprintf(heading.text, sizeof heading.text, "%s%s%s", column->name, gap, unit);
  return heading;
}

wasm_perf_short_text wasm_perf_column_format(const wasm_perf_columns *columns,
                                             const wasm_perf_column *column,
                                             const wasm_perf_row *row) {
  uint64_t value = column->value(columns, row);
  switch (column->kind) {
  case WASM_PERF_COLUMN_SHARE: return wasm_perf_format_percentage(value, columns->whole, 2);
  case WASM_PERF_COLUMN_SUM: return wasm_perf_format_in(columns->unit, value);
  case WASM_PERF_COLUMN_COUNT: break;
  case WASM_PERF_COLUMN_MEAN:
    if (row->call_count == 0)
      return (wasm_perf_short_text){"-"};
    return wasm_perf_format_quotient(value, row->call_count, 1);
  }
  return wasm_perf_format_count(value);
}
