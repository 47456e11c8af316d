/*
 * An HTML page of bounded size that needs nothing else and loads nothing: the summary, the flame
 * graph, the table of functions with callers and callees. All of it is there without scripts; with
 * them it sorts, searches and shows who calls whom. Its policy allows its own scripts and styles
 * only.
 */
#include <inttypes.h>
#include <stdlib.h>

#include "profile/labels.h"
#include "report/encode/markup.h"
#include "report/formats/flamegraph.h"
#include "report/formats/html_calls.h"
#include "report/formats/writers.h"
#include "report/model/function_table.h"
#include "report/model/summary.h"

#define DEFAULT_ROW_LIMIT 1000u

/* html.js and html.css, and of each script and style the hash by which the policy allows it. */
extern const char wi_html_js[];
extern const char wi_html_css[];
extern const char wi_html_js_sha256[];
extern const char wi_html_css_sha256[];
extern const char wi_flamegraph_js_sha256[];
extern const char wi_flamegraph_css_sha256[];

static void write_head(const char *title, FILE *stream) {
  fprintf(stream,
          "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"
          "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; "
          "script-src 'sha256-%s' 'sha256-%s'; style-src 'sha256-%s' 'sha256-%s'; "
          "base-uri 'none'; form-action 'none'\">\n"
          "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n<title>",
          wi_flamegraph_js_sha256, wi_html_js_sha256, wi_flamegraph_css_sha256, wi_html_css_sha256);
  wi_markup_write(title, SIZE_MAX, stream);
  fprintf(stream, "</title>\n<style>%s</style>\n<style>%s</style>\n</head>\n", wi_flamegraph_css,
          wi_html_css);
}

static void write_summary(const char *title, const wi_summary *summary, FILE *stream) {
  fputs("<body>\n<header>\n<h1>", stream);
  wi_markup_write(title, SIZE_MAX, stream);
  fputs("</h1>\n", stream);
  for (unsigned i = 0; i < summary->line_count; i++)
    fprintf(stream, "<p%s>%s</p>\n", i > 0 ? " class=\"caution\"" : "", summary->lines[i]);
  fputs("</header>\n<main>\n", stream);
}

static void write_graph(const wi_flamegraph *graph, FILE *stream) {
  fprintf(stream,
          "<div id=\"toolbar\"></div>\n"
          "<svg id=\"flamegraph\" role=\"group\" aria-label=\"Flame graph\" width=\"100%%\" "
          "height=\"%" PRIu32 "\">\n",
          wi_flamegraph_height(graph));
  wi_flamegraph_write_frames(graph, "width=\"100%\"", 0, stream);
  fputs("</svg>\n<p id=\"status\"></p>\n", stream);
}

static void write_headings(const wi_columns *columns, FILE *stream) {
  fputs("<thead>\n<tr><th scope=\"col\" data-key=\"name\">function</th>", stream);
  for (unsigned c = 0; c < columns->count; c++)
    fprintf(stream, "<th scope=\"col\" data-key=\"%s\">%s</th>", columns->list[c]->key,
            wi_column_heading(columns, columns->list[c]).text);
  fputs("</tr>\n</thead>\n", stream);
}

/* The attributes have the numbers that the cells of sums round. */
static void write_row(const wi_function_table *table, const wi_function_stats *row, FILE *stream) {
  const wi_columns *columns = &table->columns;
  fputs("<tr", stream);
  for (unsigned c = 0; c < columns->count; c++) {
    const wi_column *column = columns->list[c];
    if (column->kind == WI_COLUMN_SUM || column->kind == WI_COLUMN_COUNT)
      fprintf(stream, " data-%s=\"%" PRIu64 "\"", column->key, column->value(columns, row));
  }
  fputs("><th scope=\"row\">", stream);
  wi_markup_write(wi_tree_text(table->tree, row->label), SIZE_MAX, stream);
  fputs("</th>", stream);
  for (unsigned c = 0; c < columns->count; c++)
    fprintf(stream, "<td>%s</td>", wi_column_format(columns, columns->list[c], row).text);
  fputs("</tr>\n", stream);
}

static void write_table(const wi_function_table *table, FILE *stream) {
  fputs("<section id=\"table\" aria-label=\"Functions\">\n<table id=\"functions\">\n", stream);
  write_headings(&table->columns, stream);
  fputs("<tbody>\n", stream);
  for (uint32_t i = 0; i < table->shown_count; i++)
    write_row(table, &table->rows[i], stream);
  fputs("</tbody>\n</table>\n</section>\n", stream);
  if (table->shown_count < table->row_count)
    fprintf(stream, "<p id=\"remainder\">%s</p>\n", wi_remainder_of(table).text);
}

static bool write_graph_part(const wasm_perf_profile *profile, const char *title, FILE *stream) {
  wi_flamegraph *graph = wi_flamegraph_new(profile);
  if (!graph)
    return false;
  write_head(title, stream);
  write_summary(title, wi_flamegraph_summary(graph), stream);
  write_graph(graph, stream);
  wi_flamegraph_free(graph);
  return true;
}

static bool write_table_part(const wasm_perf_profile *profile, uint32_t row_limit, FILE *stream) {
  wi_function_table table;
  if (!wi_function_table_init(&table, profile, WASM_PERF_SORT_SELF, row_limit))
    return false;
  bool ok = true;
  if (table.row_count > 0) {
    write_table(&table, stream);
    fputs("<script type=\"application/json\" id=\"calls\">", stream);
    ok = wi_html_write_calls(&table, stream);
    fputs("</script>\n", stream);
  }
  wi_function_table_clear(&table);
  return ok;
}

/* One after the other: graph and table each take a tree of their own. */
bool wi_html_write(const wasm_perf_profile *profile, const wasm_perf_report_options *options,
                   FILE *stream) {
  char title[WI_LABEL_MAX_SIZE + 1];
  wi_label_clean(title, options && options->title ? options->title : "wasm-perf", 0);
  uint32_t row_limit = options && options->row_limit ? options->row_limit : DEFAULT_ROW_LIMIT;
  if (!write_graph_part(profile, title, stream) || !write_table_part(profile, row_limit, stream))
    return false;
  fprintf(stream, "</main>\n<script>%s</script>\n<script>%s</script>\n</body>\n</html>\n",
          wi_flamegraph_js, wi_html_js);
  return fflush(stream) == 0 && !ferror(stream);
}
