#include <stdlib.h>
#include <string.h>

#include "report/exporters.h"
#include "report/numbers.h"
#include "report/rows.h"
#include "report/shorten.h"
#include "report/text_table.h"
#include "report/tree.h"

#define DEFAULT_ROW_LIMIT 50u

typedef struct top_report {
  const wasm_perf_profile *profile;
  const wasm_perf_report_options *options; /* may be NULL */
  const wasm_perf_tree *tree;
  wasm_perf_row *rows;
  uint32_t row_count;
  uint32_t shown_count;
  wasm_perf_table table;
} top_report;

static int compare_totals(const void *left, const void *right) {
  const wasm_perf_row *a = left;
  const wasm_perf_row *b = right;
  if (a->total != b->total)
    return a->total > b->total ? -1 : 1;
  return (a->label > b->label) - (a->label < b->label); /* labels are in order of names */
}

static int compare_calls(const void *left, const void *right) {
  const wasm_perf_row *a = left;
  const wasm_perf_row *b = right;
  if (a->call_count != b->call_count)
    return a->call_count > b->call_count ? -1 : 1;
  return (a->label > b->label) - (a->label < b->label);
}

/* They come sorted by self. */
static void sort_rows(top_report *report) {
  wasm_perf_sort sort = report->options ? report->options->sort : WASM_PERF_SORT_SELF;
  if (sort == WASM_PERF_SORT_TOTAL)
    qsort(report->rows, report->row_count, sizeof *report->rows, compare_totals);
  else if (sort == WASM_PERF_SORT_CALLS)
    qsort(report->rows, report->row_count, sizeof *report->rows, compare_calls);
}

static bool write_rows(const top_report *report, const wasm_perf_fitted_name *names, FILE *stream) {
  wasm_perf_table_write_headings(&report->table, stream);
  for (uint32_t i = 0; i < report->shown_count; i++) {
    const wasm_perf_row *row = &report->rows[i];
    bool is_host = wasm_perf_tree_is_host(report->tree, row->label);
    wasm_perf_table_write_cells(&report->table, row, stream);
    wasm_perf_table_write_styled(&report->table,
                                 is_host ? WASM_PERF_STYLE_HOST : WASM_PERF_STYLE_PLAIN,
                                 wasm_perf_fitted_text(&names[i]), stream);
    if (fputc('\n', stream) == EOF)
      return false;
  }
  return true;
}

static bool write_table(top_report *report, FILE *stream) {
  wasm_perf_table_init(&report->table, report->profile, report->tree->nodes[0].total,
                       report->options);
  wasm_perf_table_add_columns(&report->table, report->profile->hook_time > 0);
  for (uint32_t i = 0; i < report->shown_count; i++)
    wasm_perf_table_measure(&report->table, &report->rows[i]);
  uint32_t width = wasm_perf_table_name_width(&report->table, report->options);
  wasm_perf_fitted_name *names = calloc(report->shown_count, sizeof *names);
  if (!names)
    return false;
  for (uint32_t i = 0; i < report->shown_count; i++) {
    names[i].name = wasm_perf_tree_text(report->tree, report->rows[i].label);
    names[i].width = width;
  }
  bool ok = wasm_perf_names_fit(names, report->shown_count) && write_rows(report, names, stream);
  wasm_perf_names_clear(names, report->shown_count);
  free(names);
  return ok;
}

static void write_remainder(const top_report *report, FILE *stream) {
  uint32_t count = report->row_count - report->shown_count;
  uint64_t self = 0;
  for (uint32_t i = report->shown_count; i < report->row_count; i++)
    self = wasm_perf_add(self, report->rows[i].self);
  fprintf(stream, "\n%s more: %s %% of the %s together\n", wasm_perf_format_count(count).text,
          wasm_perf_format_percentage(self, report->tree->nodes[0].total, 2).text,
          report->table.unit == WASM_PERF_UNIT_CALLS ? "calls" : "total");
}

static bool write_report(top_report *report, FILE *stream) {
  wasm_perf_table_write_summary(report->profile, report->tree, report->options, stream);
  if (report->row_count > 0) {
    fputc('\n', stream);
    sort_rows(report);
    if (!write_table(report, stream))
      return false;
  }
  if (report->shown_count < report->row_count)
    write_remainder(report, stream);
  return fflush(stream) == 0 && !ferror(stream);
}

bool wasm_perf_top_write(const wasm_perf_profile *profile, const wasm_perf_report_options *options,
                         FILE *stream) {
  wasm_perf_tree *tree = wasm_perf_tree_new(profile, WASM_PERF_NO_DEPTH_LIMIT, 0);
  wasm_perf_row *rows = tree ? wasm_perf_rows_new(tree) : NULL;
  bool ok = false;
  if (rows) {
    uint32_t row_limit = options && options->row_limit ? options->row_limit : DEFAULT_ROW_LIMIT;
    uint32_t row_count = tree->labels.count;
    top_report report = {.profile = profile,
                         .options = options,
                         .tree = tree,
                         .rows = rows,
                         .row_count = row_count,
                         .shown_count = row_count < row_limit ? row_count : row_limit};
    ok = write_report(&report, stream);
  }
  free(rows);
  wasm_perf_tree_free(tree);
  return ok;
}
