#include "report/model/columns.h"

#include <stdio.h>

/* ---- Values -------------------------------------------------------------- */

static uint64_t self_value(const wi_columns *columns, const wi_function_stats *row) {
  (void)columns;
  return row->self;
}

static uint64_t total_value(const wi_columns *columns, const wi_function_stats *row) {
  (void)columns;
  return row->total;
}

static uint64_t call_value(const wi_columns *columns, const wi_function_stats *row) {
  (void)columns;
  return row->call_count;
}

/* How far the time may be off for what was taken out of it. */
static uint64_t error_value(const wi_columns *columns, const wi_function_stats *row) {
  uint64_t ticks = wi_hook_time(row->hook_count, columns->header->hook_cost_error);
  return wi_value(columns->header, ticks);
}

/* ---- Columns ------------------------------------------------------------- */

static const wi_column self_share = {"self", "self", WI_COLUMN_SHARE, self_value};
static const wi_column self_sum = {"self", "self", WI_COLUMN_SUM, self_value};
static const wi_column error_sum = {"\xC2\xB1", "error", WI_COLUMN_SUM, error_value};
static const wi_column total_share = {"total", "total", WI_COLUMN_SHARE, total_value};
static const wi_column total_sum = {"total", "total", WI_COLUMN_SUM, total_value};
static const wi_column call_share = {"calls", "calls", WI_COLUMN_SHARE, call_value};
static const wi_column call_count = {"calls", "calls", WI_COLUMN_COUNT, call_value};
static const wi_column self_mean = {"self", "per-call", WI_COLUMN_MEAN, self_value};

static void add(wi_columns *columns, const wi_column *column) {
  columns->list[columns->count++] = column;
}

static void init(wi_columns *columns, const wasm_perf_profile *profile, uint64_t whole) {
  wi_display_unit unit = wi_display_unit_of(wi_unit_of(&profile->header), whole);
  *columns = (wi_columns){.header = &profile->header, .unit = unit, .whole = whole};
}

void wi_columns_init(wi_columns *columns, const wasm_perf_profile *profile, uint64_t whole) {
  init(columns, profile, whole);
  if (columns->unit.unit == WI_UNIT_CALLS) {
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

void wi_columns_init_tree(wi_columns *columns, const wasm_perf_profile *profile, uint64_t whole) {
  init(columns, profile, whole);
  add(columns, &total_share);
  add(columns, &total_sum);
  if (columns->unit.unit != WI_UNIT_CALLS)
    add(columns, &self_sum);
  add(columns, &call_count);
}

/* ---- Texts --------------------------------------------------------------- */

wi_short_text wi_column_heading(const wi_columns *columns, const wi_column *column) {
  bool is_time = columns->unit.unit == WI_UNIT_NANOSECONDS;
  const char *gap = "", *unit = "";
  switch (column->kind) {
  case WI_COLUMN_SHARE: gap = " ", unit = "%"; break;
  case WI_COLUMN_SUM: gap = " ", unit = columns->unit.text; break;
  case WI_COLUMN_COUNT: break;
  case WI_COLUMN_MEAN: unit = is_time ? " ns/call" : "/call"; break;
  }
  wi_short_text heading;
  snprintf(heading.text, sizeof heading.text, "%s%s%s", column->name, gap, unit);
  return heading;
}

wi_short_text wi_column_format(const wi_columns *columns, const wi_column *column,
                               const wi_function_stats *row) {
  uint64_t value = column->value(columns, row);
  switch (column->kind) {
  case WI_COLUMN_SHARE: return wi_format_percentage(value, columns->whole, 2);
  case WI_COLUMN_SUM: return wi_format_in(columns->unit, value);
  case WI_COLUMN_COUNT: break;
  case WI_COLUMN_MEAN:
    if (row->call_count == 0)
      return (wi_short_text){"-"};
    return wi_format_quotient(value, row->call_count, 1);
  }
  return wi_format_count(value);
}
