/* The HTML report: see html.css and html.js for what it looks like and what it does. */
#include <inttypes.h>
#include <stdlib.h>

#include "report/exporters.h"
#include "report/flamegraph.h"
#include "report/function_table.h"
#include "report/html_calls.h"
#include "report/labels.h"
#include "report/markup.h"
#include "report/summary.h"

#define DEFAULT_ROW_LIMIT 1000u

/* html.js and html.css, and of each script and style the hash by which the policy allows it. */
extern const char wasm_perf_html_js[];
extern const char wasm_perf_html_css[];
extern const char wasm_perf_html_js_sha256[];
extern const char wasm_perf_html_css_sha256[];
extern const char wasm_perf_flamegraph_js_sha256[];
extern const char wasm_perf_flamegraph_css_sha256[];

static void write_head(const char *title, FILE *stream) {
  fprintf(stream,
          "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"
          "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; "
          "script-src 'sha256-%s' 'sha256-%s'; style-src 'sha256-%s' 'sha256-%s'; "
          "base-uri 'none'; form-action 'none'\">\n"
          "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n<title>",
          wasm_perf_flamegraph_js_sha256, wasm_perf_html_js_sha256, wasm_perf_flamegraph_css_sha256,
          wasm_perf_html_css_sha256);
  wasm_perf_markup_write(title, SIZE_MAX, stream);
  fprintf(stream, "</title>\n<style>%s</style>\n<style>%s</style>\n</head>\n",
          wasm_perf_flamegraph_css, wasm_perf_html_css);
}

static void write_summary(const char *title, const wasm_perf_summary *summary, FILE *stream) {
  fputs("<body>\n<header>\n<h1>", stream);
  wasm_perf_markup_write(title, SIZE_MAX, stream);
  fputs("</h1>\n", stream);
  for (unsigned i = 0; i < summary->line_count; i++)
    fprintf(stream, "<p%s>%s</p>\n", i > 0 ? " class=\"caution\"" : "", summary->lines[i]);
  fputs("</header>\n<main>\n", stream);
}

static void write_graph(const wasm_perf_flamegraph *graph, FILE *stream) {
  fprintf(stream,
          "<div id=\"toolbar\"></div>\n"
          "<svg id=\"flamegraph\" role=\"group\" aria-label=\"Flame graph\" width=\"100%%\" "
          "height=\"%" PRIu32 "\">\n",
          wasm_perf_flamegraph_height(graph));
  wasm_perf_flamegraph_write_frames(graph, "width=\"100%\"", 0, stream);
  fputs("</svg>\n<p id=\"status\"></p>\n", stream);
}

static void write_headings(const wasm_perf_columns *columns, FILE *stream) {
  fputs("<thead>\n<tr><th scope=\"col\" data-key=\"name\">function</th>", stream);
  for (unsigned c = 0; c < columns->count; c++)
    fprintf(stream, "<th scope=\"col\" data-key=\"%s\">%s</th>", columns->list[c]->key,
            wasm_perf_column_heading(columns, columns->list[c]).text);
  fputs("</tr>\n</thead>\n", stream);
}

/* The attributes have the numbers that the cells of sums round. */
static void write_row(const wasm_perf_function_table *table, const wasm_perf_row *row,
                      FILE *stream) {
  const wasm_perf_columns *columns = &table->columns;
  fputs("<tr", stream);
  for (unsigned c = 0; c < columns->count; c++) {
    const wasm_perf_column *column = columns->list[c];
    if (column->kind == WASM_PERF_COLUMN_SUM || column->kind == WASM_PERF_COLUMN_COUNT)
      fprintf(stream, " data-%s=\"%" PRIu64 "\"", column->key, column->value(columns, row));
  }
  fputs("><th scope=\"row\">", stream);
  wasm_perf_markup_write(wasm_perf_tree_text(table->tree, row->label), SIZE_MAX, stream);
  fputs("</th>", stream);
  for (unsigned c = 0; c < columns->count; c++)
    fprintf(stream, "<td>%s</td>", wasm_perf_column_format(columns, columns->list[c], row).text);
  fputs("</tr>\n", stream);
}

static void write_table(const wasm_perf_function_table *table, FILE *stream) {
  fputs("<section id=\"table\" aria-label=\"Functions\">\n<table id=\"functions\">\n", stream);
  write_headings(&table->columns, stream);
  fputs("<tbody>\n", stream);
  for (uint32_t i = 0; i < table->shown_count; i++)
    write_row(table, &table->rows[i], stream);
  fputs("</tbody>\n</table>\n</section>\n", stream);
  if (table->shown_count < table->row_count)
    fprintf(stream, "<p id=\"remainder\">%s</p>\n", wasm_perf_remainder_of(table).text);
}

static bool write_graph_part(const wasm_perf_profile *profile, const char *title, FILE *stream) {
  wasm_perf_flamegraph *graph = wasm_perf_flamegraph_new(profile);
  if (!graph)
    return false;
  write_head(title, stream);
  write_summary(title, wasm_perf_flamegraph_summary(graph), stream);
  write_graph(graph, stream);
  wasm_perf_flamegraph_free(graph);
  return true;
}

static bool write_table_part(const wasm_perf_profile *profile, uint32_t row_limit, FILE *stream) {
  wasm_perf_function_table table;
  if (!wasm_perf_function_table_init(&table, profile, WASM_PERF_SORT_SELF, row_limit))
    return false;
  bool ok = true;
  if (table.row_count > 0) {
    write_table(&table, stream);
    fputs("<script type=\"application/json\" id=\"calls\">", stream);
    ok = wasm_perf_html_write_calls(&table, stream);
    fputs("</script>\n", stream);
  }
  wasm_perf_function_table_clear(&table);
  return ok;
}

/* One after the other: graph and table each take a tree of their own. */
bool wasm_perf_html_write(const wasm_perf_profile *profile, const wasm_perf_report_options *options,
                          FILE *stream) {
  char title[WASM_PERF_LABEL_MAX_SIZE + 1];
  wasm_perf_label_clean(title, options && options->title ? options->title : "wasm-perf", 0);
  uint32_t row_limit = options && options->row_limit ? options->row_limit : DEFAULT_ROW_LIMIT;
  if (!write_graph_part(profile, title, stream) || !write_table_part(profile, row_limit, stream))
    return false;
  fprintf(stream, "</main>\n<script>%s</script>\n<script>%s</script>\n</body>\n</html>\n",
          wasm_perf_flamegraph_js, wasm_perf_html_js);
  return fflush(stream) == 0 && !ferror(stream);
}
