#include "report/model/function_table.h"

#include <stdio.h>
#include <stdlib.h>

#include "support/arithmetic.h"

static int compare_totals(const void *left, const void *right) {
  const wi_function_stats *a = left;
  const wi_function_stats *b = right;
  if (a->total != b->total)
    return a->total > b->total ? -1 : 1;
  return (a->label > b->label) - (a->label < b->label); /* labels are sorted by name */
}

static int compare_calls(const void *left, const void *right) {
  const wi_function_stats *a = left;
  const wi_function_stats *b = right;
  if (a->call_count != b->call_count)
    return a->call_count > b->call_count ? -1 : 1;
  return (a->label > b->label) - (a->label < b->label);
}

/* The rows are already sorted by self. */
static void sort_rows(wi_function_table *table, wasm_perf_sort sort) {
  if (sort == WASM_PERF_SORT_TOTAL)
    qsort(table->rows, table->row_count, sizeof *table->rows, compare_totals);
  else if (sort == WASM_PERF_SORT_CALLS)
    qsort(table->rows, table->row_count, sizeof *table->rows, compare_calls);
}

/* Few functions allocate, so those without any value of the measure are dropped. */
static uint32_t drop_zeros(wi_function_stats *rows, uint32_t count) {
  uint32_t kept = 0;
  for (uint32_t i = 0; i < count; i++)
    if (rows[i].self > 0 || rows[i].total > 0)
      rows[kept++] = rows[i];
  return kept;
}

bool wi_function_table_init(wi_function_table *table, const wi_report *report, wasm_perf_sort sort,
                            uint32_t row_limit) {
  wasm_perf_measure measure;
  bool has_measure = wi_view_has_measure(&report->tree->view, &measure);
  *table = (wi_function_table){.tree = report->tree};
  table->rows = wi_function_stats_new(report->tree);
  if (has_measure)
    table->layers = wi_layers_new(report, measure);
  if (!table->rows || (has_measure && !table->layers)) {
    wi_function_table_clear(table);
    return false;
  }
  table->row_count = table->tree->labels.count;
  if (has_measure)
    table->row_count = drop_zeros(table->rows, table->row_count);
  table->shown_count = table->row_count < row_limit ? table->row_count : row_limit;
  sort_rows(table, sort);
  for (uint32_t i = 0; i < table->row_count; i++) {
    wi_function_stats *row = &table->rows[i];
    row->cumulative = wi_saturating_add(row->self, i > 0 ? row[-1].cumulative : 0);
    row->note = (wi_time_note)report->notes.of[row->label];
  }
  wi_columns_init(&table->columns, &report->tree->view, table->tree->nodes[0].total);
  return true;
}

void wi_function_table_clear(wi_function_table *table) {
  free(table->rows);
  free(table->layers);
  table->rows = NULL;
  table->layers = NULL;
}

wi_remainder wi_remainder_of(const wi_function_table *table) {
  uint64_t self = 0;
  for (uint32_t i = table->shown_count; i < table->row_count; i++)
    self = wi_saturating_add(self, table->rows[i].self);
  wi_remainder note;
  snprintf(note.text, sizeof note.text, "%s more: %s %% of the %s together",
           wi_format_count(table->row_count - table->shown_count).text,
           wi_format_percentage(self, table->columns.whole, 2).text,
           table->columns.unit.unit == WI_UNIT_CALLS ? "calls" : "total");
  return note;
}
