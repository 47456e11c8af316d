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

static uint64_t cumulative_value(const wi_columns *columns, const wi_function_stats *row) {
  (void)columns;
  return row->cumulative;
}

/* ---- Columns ------------------------------------------------------------- */

static const wi_column self_share = {"self", "self", WI_COLUMN_SHARE, self_value, 0};
static const wi_column self_sum = {"self", "self", WI_COLUMN_SUM, self_value, 1};
static const wi_column sum_share = {"sum", "cumulative", WI_COLUMN_SHARE, cumulative_value, 5};
static const wi_column total_share = {"total", "total", WI_COLUMN_SHARE, total_value, 2};
static const wi_column total_sum = {"total", "total", WI_COLUMN_SUM, total_value, 6};
static const wi_column call_share = {"calls", "calls", WI_COLUMN_SHARE, call_value, 0};
static const wi_column call_count = {"calls", "calls", WI_COLUMN_COUNT, call_value, 3};
static const wi_column self_mean = {"self", "per-call", WI_COLUMN_MEAN, self_value, 7};

static void add(wi_columns *columns, const wi_column *column) {
  columns->list[columns->count++] = column;
}

static void init(wi_columns *columns, const wi_view *view, uint64_t whole) {
  wi_display_unit unit = wi_display_unit_of(view->unit, whole);
  *columns = (wi_columns){.view = view, .unit = unit, .whole = whole};
}

/* Samples of a program without hooks have no calls. */
static bool has_calls(const wasm_perf_profile *profile) {
  for (uint32_t i = 1; i < profile->header.node_count; i++)
    if (profile->nodes[i].call_count > 0)
      return true;
  return profile->header.node_count == 1;
}

void wi_columns_init(wi_columns *columns, const wi_view *view, uint64_t whole) {
  init(columns, view, whole);
  if (columns->unit.unit == WI_UNIT_CALLS) {
    add(columns, &call_share);
    add(columns, &sum_share);
    add(columns, &call_count);
    return;
  }
  add(columns, &self_share);
  add(columns, &self_sum);
  add(columns, &sum_share);
  add(columns, &total_share);
  add(columns, &total_sum);
  if (!has_calls(view->profile))
    return;
  add(columns, &call_count);
  if (!wi_view_has_measure(view, NULL)) /* bytes are not spent on calls */
    add(columns, &self_mean);
}

void wi_columns_init_tree(wi_columns *columns, const wi_view *view, uint64_t whole) {
  init(columns, view, whole);
  add(columns, &total_share);
  add(columns, &total_sum);
  if (columns->unit.unit != WI_UNIT_CALLS)
    add(columns, &self_sum);
  if (has_calls(view->profile))
    add(columns, &call_count);
}

bool wi_columns_drop(wi_columns *columns, unsigned *index) {
  *index = 0;
  for (unsigned i = 1; i < columns->count; i++)
    if (columns->list[i]->drop_order > columns->list[*index]->drop_order)
      *index = i;
  if (columns->count == 0 || columns->list[*index]->drop_order == 0)
    return false;
  columns->count--;
  for (unsigned i = *index; i < columns->count; i++)
    columns->list[i] = columns->list[i + 1];
  return true;
}

/* ---- Texts --------------------------------------------------------------- */

/* Times and bytes have a unit per cell. */
static bool has_own_units(const wi_columns *columns) {
  return columns->unit.unit == WI_UNIT_NANOSECONDS || columns->unit.unit == WI_UNIT_BYTES;
}

wi_short_text wi_column_heading(const wi_columns *columns, const wi_column *column) {
  const char *gap = "", *unit = "";
  switch (column->kind) {
  case WI_COLUMN_SHARE: gap = " ", unit = "%"; break;
  case WI_COLUMN_SUM:
    if (!has_own_units(columns))
      gap = " ", unit = columns->unit.text;
    break;
  case WI_COLUMN_COUNT: break;
  case WI_COLUMN_MEAN: unit = "/call"; break;
  }
  wi_short_text heading;
  snprintf(heading.text, sizeof heading.text, "%s%s%s", column->name, gap, unit);
  return heading;
}

/* A count that may include calls on other stacks. */
static wi_short_text at_most(uint64_t count) {
  wi_short_text text;
  snprintf(text.text, sizeof text.text, "\xE2\x89\xA4%.40s", wi_format_count(count).text);
  return text;
}

wi_short_text wi_column_format(const wi_columns *columns, const wi_column *column,
                               const wi_function_stats *row) {
  uint64_t value = column->value(columns, row);
  bool counts = column->kind == WI_COLUMN_COUNT || column->kind == WI_COLUMN_MEAN;
  bool is_time = columns->unit.unit == WI_UNIT_NANOSECONDS && column->kind != WI_COLUMN_COUNT &&
                 column->kind != WI_COLUMN_SHARE;
  if (wi_time_note_hides_mean(row->note) && column->kind == WI_COLUMN_MEAN)
    return (wi_short_text){WI_UNKNOWN_TEXT};
  if (is_time && value == 0 && columns->view->clock == WASM_PERF_CLOCK_SAMPLED)
    return column->kind == WI_COLUMN_SUM ? (wi_short_text){"<1 sample"}
                                         : (wi_short_text){WI_UNKNOWN_TEXT};
  if (counts && row->is_shared && column->kind == WI_COLUMN_COUNT)
    return at_most(value);
  if (counts && (row->is_uncounted || row->is_shared))
    return (wi_short_text){WI_UNKNOWN_TEXT};
  switch (column->kind) {
  case WI_COLUMN_SHARE: return wi_format_percentage(value, columns->whole, 2);
  case WI_COLUMN_SUM:
    return has_own_units(columns) ? wi_format_value(columns->unit.unit, value)
                                  : wi_format_in(columns->unit, value);
  case WI_COLUMN_COUNT: break;
  case WI_COLUMN_MEAN: return wi_format_mean(columns->unit.unit, value, row->call_count);
  }
  return wi_format_count(value);
}
