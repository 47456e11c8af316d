#include "report/formats/html/page_parts.h"

#include <inttypes.h>
#include <string.h>

#include "report/encode/markup.h"
#include "report/formats/html/call_list.h"
#include "report/formats/html/memory.h"
#include "report/formats/html/pack.h"

/* ---- Totals and details --------------------------------------------------- */

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

void wi_html_summary_write(const wi_html_data *data, FILE *stream) {
  write_totals(data, stream);
  fputs("<details id=\"about\"><summary>Details", stream);
  write_badge(data, stream);
  fputs("</summary>\n<div class=\"panel\">\n", stream);
  if (data->run_count == 1)
    write_facts(data->runs[0].report, stream);
  else
    for (uint32_t r = 0; r < data->run_count; r++)
      write_run(data->runs[r].report, stream);
  fputs("</div></details>\n", stream);
}

bool wi_html_values_write(const wi_html_data *data, FILE *stream) {
  wi_html_memory_write(data, stream);
  if (!wi_html_calls_write(data, stream))
    return false;
  fputs(WI_HTML_OPEN_DATA, stream);
  if (!wi_html_data_write(data, stream))
    return false;
  fputs(WI_HTML_CLOSE_DATA, stream);
  return true;
}
