#include "report/formats/html/page.h"

#include <string.h>

#include "report/encode/base64.h"
#include "report/encode/markup.h"
#include "report/formats/html/data.h"
#include "report/formats/html/page_parts.h"
#include "report/model/function_table.h"

#define HASH_SIZE   32u
#define STATIC_ROWS 100u /* in the table shown without scripts */

/* Script and style, with the hashes that the content policy lists. See embed.cmake. */
extern const char wi_page_js[];
extern const char wi_page_css[];
extern const char wi_page_html[];
extern const uint8_t wi_page_js_sha256[HASH_SIZE];
extern const uint8_t wi_page_css_sha256[HASH_SIZE];

/* The program in the page that reads files, compressed by gzip; empty if it was not built. */
extern const uint8_t wi_reader[];
extern const size_t wi_reader_size;

/* ---- The head ------------------------------------------------------------- */

static void write_base64(const uint8_t *bytes, size_t size, FILE *stream) {
  wi_base64 base64;
  wi_base64_init(&base64, stream);
  wi_base64_write(&base64, bytes, size);
  wi_base64_end(&base64);
}

static void write_hash(const uint8_t hash[HASH_SIZE], FILE *stream) {
  fputs("'sha256-", stream);
  write_base64(hash, HASH_SIZE, stream);
  fputc('\'', stream);
}

/* Allows only the page's own script and style, and its reader, which is WebAssembly. */
static void write_policy(FILE *stream) {
  fputs("<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; script-src ",
        stream);
  write_hash(wi_page_js_sha256, stream);
  fputs(" 'wasm-unsafe-eval'; style-src ", stream);
  write_hash(wi_page_css_sha256, stream);
  fputs("; base-uri 'none'; form-action 'none'\">\n", stream);
}

static void write_head(const char *title, FILE *stream) {
  fputs("<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n", stream);
  write_policy(stream);
  fputs("<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n<title>",
        stream);
  wi_markup_write(title, stream);
  fprintf(stream, "</title>\n<style>%s</style>\n</head>\n<body>\n", wi_page_css);
}

static void write_header(const wi_html_data *data, const char *title, FILE *stream) {
  write_head(title, stream);
  fputs("<header>\n<h1>", stream);
  wi_markup_write(title, stream);
  fputs("</h1>\n", stream);
  wi_html_summary_write(data, stream);
  fputs("</header>\n<main>\n", stream);
}

/* ---- The table without scripts -------------------------------------------- */

static void write_static_row(const wi_function_table *table, const wi_function_stats *row,
                             FILE *stream) {
  const wi_columns *columns = &table->columns;
  fputs("<tr><th scope=\"row\">", stream);
  wi_markup_write(wi_tree_text(table->tree, row->label), stream);
  fputs("</th>", stream);
  for (unsigned c = 0; c < columns->count; c++)
    fprintf(stream, "<td>%s</td>", wi_column_format(columns, columns->list[c], row).text);
  fputs("</tr>\n", stream);
}

static bool write_static_table(const wi_report *report, FILE *stream) {
  wi_function_table table;
  if (!wi_function_table_init(&table, report, WASM_PERF_SORT_SELF, STATIC_ROWS))
    return false;
  fputs("<noscript>\n<table>\n<thead>\n<tr><th scope=\"col\">function</th>", stream);
  for (unsigned c = 0; c < table.columns.count; c++)
    fprintf(stream, "<th scope=\"col\">%s</th>",
            wi_column_heading(&table.columns, table.columns.list[c]).text);
  fputs("</tr>\n</thead>\n<tbody>\n", stream);
  for (uint32_t i = 0; i < table.shown_count; i++)
    write_static_row(&table, &table.rows[i], stream);
  fputs("</tbody>\n</table>\n", stream);
  if (table.shown_count < table.row_count)
    fprintf(stream, "<p>%s</p>\n", wi_remainder_of(&table).text);
  fputs("</noscript>\n", stream);
  wi_function_table_clear(&table);
  return true;
}

/* ---- The page ------------------------------------------------------------- */

/* Writes the end of the page, after the data: the reader (cli/reader/main.c) and the script. */
static void write_end(FILE *stream) {
  fputs("<script type=\"application/octet-stream\" id=\"reader\">", stream);
  write_base64(wi_reader, wi_reader_size, stream);
  fprintf(stream, "</script>\n</main>\n<script>%s</script>\n</body>\n</html>\n", wi_page_js);
}

/*
 * A page about a profile file is called after the program, unless that is the page of a browser.
 * The text is a label.
 */
static const char *title_of(const wi_html_data *data, const char *title,
                            char text[WI_LABEL_MAX_SIZE + 1]) {
  const char *program = data->runs[0].report->profile->facts.command;
  const char *extension = strrchr(title, '.');
  bool is_file = extension && strcmp(extension, ".wperf") == 0;
  if (data->run_count > 1 || !is_file || !program || !*program || strstr(program, "://"))
    return title;
  wi_label_clean(text, program, 0);
  return text;
}

static bool write_all(const wi_html_data *data, const char *title, FILE *stream) {
  char text[WI_LABEL_MAX_SIZE + 1];
  write_header(data, title_of(data, title, text), stream);
  fputs(wi_page_html, stream);
  if (data->run_count == 1 && !write_static_table(data->runs[0].report, stream))
    return false;
  if (!wi_html_values_write(data, stream))
    return false;
  write_end(stream);
  return true;
}

bool wi_html_viewer_write(FILE *stream) {
  static const char title[] = "wasm-perf";
  write_head(title, stream);
  fprintf(stream,
          "<header>\n<h1>%s</h1>\n<p id=\"totals\"></p>\n<details id=\"about\"><summary>Details"
          "</summary></details>\n</header>\n<main>\n%s",
          title, wi_page_html);
  fputs(WI_HTML_OPEN_DATA WI_HTML_CLOSE_DATA, stream);
  write_end(stream);
  return !ferror(stream);
}

bool wi_html_page_write(const wi_report *reports, uint32_t count, bool is_difference,
                        const char *title, FILE *stream) {
  wi_html_data data;
  if (!wi_html_data_init(&data, reports, count))
    return false;
  data.is_difference = is_difference;
  bool ok = write_all(&data, title, stream);
  wi_html_data_clear(&data);
  return ok;
}
