#include "report/formats/html/page.h"

#include <inttypes.h>
#include <string.h>

#include "report/encode/base64.h"
#include "report/encode/markup.h"
#include "report/formats/html/data.h"
#include "report/formats/html/memory.h"
#include "report/formats/html/pack.h"
#include "report/model/function_table.h"

#define HASH_SIZE   32u
#define STATIC_ROWS 100u /* in the table shown without scripts */

/* Script and style, with the hashes by which the policy allows them. See embed.cmake. */
extern const char wi_page_js[];
extern const char wi_page_css[];
extern const char wi_page_html[];
extern const uint8_t wi_page_js_sha256[HASH_SIZE];
extern const uint8_t wi_page_css_sha256[HASH_SIZE];

/* ---- The head ------------------------------------------------------------- */

static void write_hash(const uint8_t hash[HASH_SIZE], FILE *stream) {
  wi_base64 base64;
  fputs("'sha256-", stream);
  wi_base64_init(&base64, stream);
  wi_base64_write(&base64, hash, HASH_SIZE);
  wi_base64_end(&base64);
  fputc('\'', stream);
}

/* Allows only the page's own script and style. */
static void write_policy(FILE *stream) {
  fputs("<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; script-src ",
        stream);
  write_hash(wi_page_js_sha256, stream);
  fputs("; style-src ", stream);
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

static void write_line(const char *class, const char *line, FILE *stream) {
  fprintf(stream, "<p class=\"%s\">", class);
  wi_markup_write(line, stream);
  fputs("</p>\n", stream);
}

/* Whether `text` begins with the pattern `form`, in which 0 stands for any digit. */
static bool has_form(const char *text, const char *form) {
  for (; *form; text++, form++)
    if (*form == '0' ? *text < '0' || *text > '9' : *text != *form)
      return false;
  return true;
}

/* Writes "2026-05-04T08:53:05.858Z" as "2026-05-04 08:53 UTC", and other texts unchanged. */
static void write_date(const char *date, FILE *stream) {
  enum { DAY_SIZE = 10, MINUTE_SIZE = 5 };
  if (has_form(date, "0000-00-00T00:00:00") && date[strlen(date) - 1] == 'Z')
    fprintf(stream, "%.*s %.*s UTC", DAY_SIZE, date, MINUTE_SIZE, date + DAY_SIZE + 1);
  else
    wi_markup_write(date, stream);
}

/* Writes the profile's origin, as far as known. */
static void write_origin(const wasm_perf_facts *facts, FILE *stream) {
  const struct {
    const char *what;
    const char *text;
  } parts[] = {{"Module ", facts->module},
               {"run as ", facts->command},
               {"in ", facts->engine},
               {"on ", facts->date},
               {"instrumented with ", facts->options}};
  bool is_first = true;
  for (size_t i = 0; i < sizeof parts / sizeof *parts; i++) {
    char text[WI_LABEL_MAX_SIZE + 1];
    if (!parts[i].text || !*parts[i].text)
      continue;
    wi_label_clean(text, parts[i].text, 0);
    fprintf(stream, "%s%s<b>", is_first ? "<p class=\"origin\">" : ", ", parts[i].what);
    if (parts[i].text == facts->date)
      write_date(text, stream);
    else
      wi_markup_write(text, stream);
    fputs("</b>", stream);
    is_first = false;
  }
  if (!is_first)
    fputs("</p>\n", stream);
}

/* Writes all lines except the totals. */
static void write_facts(const wi_report *report, FILE *stream) {
  const wi_summary *summary = &report->summary;
  unsigned totals = wi_summary_totals(summary);
  for (unsigned i = 0; i < summary->line_count; i++)
    if (i != totals)
      write_line(summary->is_caution[i] ? "caution" : "fact", summary->lines[i], stream);
  write_origin(&report->profile->facts, stream);
}

/* Writes one of several runs: its name, its totals and the other lines. */
static void write_run(const wi_report *report, FILE *stream) {
  const wi_summary *summary = &report->summary;
  unsigned totals = wi_summary_totals(summary);
  fputs("<section class=\"run\"><h2>", stream);
  wi_markup_write(report->title, stream);
  fputs("</h2>\n", stream);
  if (totals < summary->line_count)
    write_line("totals", summary->lines[totals], stream);
  write_facts(report, stream);
  fputs("</section>\n", stream);
}

static bool has_caution(const wi_summary *summary) {
  for (unsigned i = 0; i < summary->line_count; i++)
    if (summary->is_caution[i])
      return true;
  return false;
}

/* Writes one badge for all cautions, which the details explain. */
static void write_badge(const wi_html_data *data, FILE *stream) {
  uint32_t count = 0;
  for (uint32_t r = 0; r < data->run_count; r++)
    count += has_caution(&data->runs[r].report->summary);
  if (count > 0 && data->run_count > 1)
    fprintf(stream, " <b class=\"badge\">%" PRIu32 " of %" PRIu32 " unreliable</b>", count,
            data->run_count);
  else if (count > 0)
    fputs(" <b class=\"badge\">unreliable</b>", stream);
}

static void write_totals(const wi_html_data *data, FILE *stream) {
  const wi_summary *summary = &data->runs[0].report->summary;
  unsigned totals = wi_summary_totals(summary);
  fputs("<p id=\"totals\">", stream);
  if (data->run_count > 1)
    fprintf(stream, "%" PRIu32 " profiles", data->run_count);
  else if (totals < summary->line_count)
    wi_markup_write(summary->lines[totals], stream);
  fputs("</p>\n", stream);
}

/*
 * Writes title, totals, and a collapsed "Details" with everything else. The script adds findings.
 */
static void write_header(const wi_html_data *data, const char *title, FILE *stream) {
  write_head(title, stream);
  fputs("<header>\n<h1>", stream);
  wi_markup_write(title, stream);
  fputs("</h1>\n", stream);
  write_totals(data, stream);
  fputs("<details id=\"about\"><summary>Details", stream);
  write_badge(data, stream);
  fputs("</summary>\n<div class=\"panel\">\n", stream);
  if (data->run_count == 1)
    write_facts(data->runs[0].report, stream);
  else
    for (uint32_t r = 0; r < data->run_count; r++)
      write_run(data->runs[r].report, stream);
  fputs("</div></details>\n</header>\n<main>\n", stream);
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

/* ---- Memory ---------------------------------------------------------------- */

/* Writes the memory figures, of several runs each below its name. */
static void write_memory(const wi_html_data *data, FILE *stream) {
  fputs("<section id=\"memory\" aria-label=\"Memory\">\n", stream);
  for (uint32_t r = 0; r < data->run_count; r++) {
    const wi_report *report = data->runs[r].report;
    if (data->run_count > 1 && report->profile->follows_memory) {
      fputs("<h2>", stream);
      wi_markup_write(report->title, stream);
      fputs("</h2>\n", stream);
    }
    wi_html_memory_write(report, stream);
  }
  fputs("</section>\n", stream);
}

/* ---- The page ------------------------------------------------------------- */

#define OPEN_DATA "<script type=\"application/octet-stream\" id=\"profile\">"

/* Writes what follows the data, including the page's script. */
static void write_end(FILE *stream) {
  fprintf(stream, "</script>\n</main>\n<script>%s</script>\n</body>\n</html>\n", wi_page_js);
}

static bool write_all(const wi_html_data *data, const char *title, FILE *stream) {
  write_header(data, title, stream);
  fputs(wi_page_html, stream);
  if (data->run_count == 1 && !write_static_table(data->runs[0].report, stream))
    return false;
  write_memory(data, stream);
  fputs(OPEN_DATA, stream);
  if (!wi_html_data_write(data, stream))
    return false;
  write_end(stream);
  return true;
}

bool wi_html_viewer_write(FILE *stream) {
  static const char title[] = "wasm-perf view";
  write_head(title, stream);
  fprintf(stream,
          "<header>\n<h1>%s</h1>\n<p id=\"totals\"></p>\n<details id=\"about\"><summary>Details"
          "</summary></details>\n</header>\n<main>\n%s",
          title, wi_page_html);
  fputs(OPEN_DATA, stream);
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
