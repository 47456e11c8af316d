/*
 * A table of functions for the terminal, sorted by self value or options->sort. A total counts only
 * the outermost frame of a function on each stack, so recursion is not counted twice.
 */
#include <stdlib.h>

#include "names/names_fit.h"
#include "names/text_width.h"
#include "report/formats/writers.h"
#include "report/model/function_table.h"
#include "report/text/text_table.h"

typedef struct top_writer {
  wi_function_table functions;
  wi_text_table table; /* layout of the functions */
} top_writer;

static bool write_rows(const top_writer *writer, const wi_fitted_name *names,
                       const wi_report *report, FILE *stream) {
  uint32_t width = wi_text_table_width(&writer->table);
  wi_text_table_write_headings(&writer->table, "function", stream);
  for (uint32_t i = 0; i < writer->functions.shown_count; i++) {
    const wi_function_stats *row = &writer->functions.rows[i];
    bool is_host = wi_tree_is_host(writer->functions.tree, row->label);
    wi_text_table_write_cells(&writer->table, row, stream);
    wi_text_table_write_styled(&writer->table,
                               is_host ? WI_STYLE_HOST : wi_text_table_style(&writer->table, row),
                               wi_fitted_text(&names[i]), stream);
    uint32_t used = width + wi_text_width(wi_fitted_text(&names[i]));
    if (writer->functions.layers) {
      wi_layer_text layer;
      wi_layer_describe(writer->functions.tree, &writer->functions.layers[row->label], &layer);
      wi_text_table_write_remark(&writer->table, &report->options, layer.text, &used, stream);
    }
    wi_text_table_write_notes(&writer->table, report, row, used, stream);
    if (fputc('\n', stream) == EOF)
      return false;
  }
  return true;
}

static bool write_table(top_writer *writer, const wi_report *report, FILE *stream) {
  const wasm_perf_report_options *options = &report->options;
  const wi_function_table *functions = &writer->functions;
  wi_text_table_init(&writer->table, &functions->columns, options);
  for (uint32_t i = 0; i < functions->shown_count; i++)
    wi_text_table_measure(&writer->table, &functions->rows[i]);
  wi_text_table_fit(&writer->table, options);
  uint32_t width = wi_text_table_name_width(&writer->table, options);
  wi_fitted_name *names = calloc(functions->shown_count, sizeof *names);
  if (!names)
    return false;
  for (uint32_t i = 0; i < functions->shown_count; i++) {
    names[i].name = wi_tree_text(functions->tree, functions->rows[i].label);
    if (width > 0)
      names[i].width = width - wi_text_table_mark_width(&functions->rows[i]);
  }
  bool ok =
      wi_names_fit(names, functions->shown_count) && write_rows(writer, names, report, stream);
  wi_names_clear(names, functions->shown_count);
  free(names);
  return ok;
}

static bool write_functions(top_writer *writer, const wi_report *report, FILE *stream) {
  const wi_function_table *functions = &writer->functions;
  wi_write_totals(report, stream);
  if (functions->row_count > 0) {
    fputc('\n', stream);
    if (!write_table(writer, report, stream))
      return false;
  }
  if (functions->shown_count < functions->row_count)
    fprintf(stream, "\n%s\n", wi_remainder_of(functions).text);
  wi_write_notes(report, stream);
  return true;
}

bool wi_top_write(const wi_report *report, FILE *stream) {
  const wasm_perf_report_options *options = &report->options;
  top_writer writer;
  if (!wi_function_table_init(&writer.functions, report, options->sort, options->row_limit))
    return false;
  bool ok = write_functions(&writer, report, stream);
  wi_function_table_clear(&writer.functions);
  return ok;
}
