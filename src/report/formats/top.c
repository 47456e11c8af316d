/*
 * A table of functions for the terminal, by self value or options->sort. A total counts only the
 * outermost of a function's frames on a stack, so recursion is not counted twice.
 */
#include <stdlib.h>

#include "report/formats/writers.h"
#include "report/model/function_table.h"
#include "report/model/names_fit.h"
#include "report/text/text_table.h"

#define DEFAULT_ROW_LIMIT 20u

typedef struct top_report {
  wi_function_table functions;
  wi_text_table table; /* how they are laid out */
} top_report;

static bool write_rows(const top_report *report, const wi_fitted_name *names, FILE *stream) {
  wi_text_table_write_headings(&report->table, stream);
  for (uint32_t i = 0; i < report->functions.shown_count; i++) {
    const wi_function_stats *row = &report->functions.rows[i];
    bool is_host = wi_tree_is_host(report->functions.tree, row->label);
    wi_text_table_write_cells(&report->table, row, stream);
    wi_text_table_write_styled(&report->table, is_host ? WI_STYLE_HOST : WI_STYLE_PLAIN,
                               wi_fitted_text(&names[i]), stream);
    if (fputc('\n', stream) == EOF)
      return false;
  }
  return true;
}

static bool write_table(top_report *report, const wasm_perf_report_options *options, FILE *stream) {
  const wi_function_table *functions = &report->functions;
  wi_text_table_init(&report->table, &functions->columns, options);
  for (uint32_t i = 0; i < functions->shown_count; i++)
    wi_text_table_measure(&report->table, &functions->rows[i]);
  wi_text_table_fit(&report->table, options);
  uint32_t width = wi_text_table_name_width(&report->table, options);
  wi_fitted_name *names = calloc(functions->shown_count, sizeof *names);
  if (!names)
    return false;
  for (uint32_t i = 0; i < functions->shown_count; i++) {
    names[i].name = wi_tree_text(functions->tree, functions->rows[i].label);
    names[i].width = width;
  }
  bool ok = wi_names_fit(names, functions->shown_count) && write_rows(report, names, stream);
  wi_names_clear(names, functions->shown_count);
  free(names);
  return ok;
}

static bool write_report(top_report *report, const wasm_perf_profile *profile,
                         const wasm_perf_report_options *options, FILE *stream) {
  const wi_function_table *functions = &report->functions;
  wi_write_summary(profile, functions->tree, options, stream);
  if (functions->row_count > 0) {
    fputc('\n', stream);
    if (!write_table(report, options, stream))
      return false;
  }
  if (functions->shown_count < functions->row_count)
    fprintf(stream, "\n%s\n", wi_remainder_of(functions).text);
  return fflush(stream) == 0 && !ferror(stream);
}

bool wi_top_write(const wasm_perf_profile *profile, const wasm_perf_report_options *options,
                  FILE *stream) {
  uint32_t row_limit = options && options->row_limit ? options->row_limit : DEFAULT_ROW_LIMIT;
  wasm_perf_sort sort = options ? options->sort : WASM_PERF_SORT_SELF;
  top_report report;
  if (!wi_function_table_init(&report.functions, profile, sort, row_limit))
    return false;
  bool ok = write_report(&report, profile, options, stream);
  wi_function_table_clear(&report.functions);
  return ok;
}
