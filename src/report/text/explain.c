/* Writes an explanation for readers, as text or, with the same content, as Markdown. */
#include "report/text/explain.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "names/names_fit.h"
#include "names/shorten.h"
#include "names/text_width.h"
#include "report/encode/markup.h"
#include "report/model/report_shown.h"
#include "report/text/text_table.h"

enum {
  MAX_NAME_WIDTH = 80,
  MAX_PATH_WIDTH = 60,
  SHARE_WIDTH = 8,
  VALUE_WIDTH = 22,
  CALLS_WIDTH = 13,
};

enum { NAME_COUNT = WI_EXPLAINED_FUNCTIONS + WI_EXPLAINED_STEPS + WI_EXPLAINED_LINES };

typedef struct explain_writer {
  const wi_explanation *e;
  const wi_shown *shown;
  bool is_markdown;
  wi_fitted_name names[NAME_COUNT]; /* of functions, then of steps, then of lines */
  FILE *stream;
} explain_writer;

/* ---- The command ---------------------------------------------------------- */

static size_t quote(char *to, const char *text) {
  static const char plain[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_./+:";
  size_t size = 0;
  if (*text && *text != '-' && strspn(text, plain) == strlen(text))
    return (size_t)sprintf(to, "%s", text);
  to[size++] = '\'';
  for (; *text; text++)
    if (*text == '\'')
      size += (size_t)sprintf(to + size, "'\\''");
    else
      to[size++] = *text;
  to[size++] = '\'';
  to[size] = '\0';
  return size;
}

bool wi_explain_next_command(const wi_explanation *e, unsigned index, char text[WI_COMMAND_SIZE]) {
  uint32_t label = e->report ? wi_explanation_next(e) : WI_FINDING_NO_LABEL;
  const char *value = e->report ? wi_view_name(&e->report->tree->view) : NULL;
  bool has_lines = false;
  for (uint32_t i = 0; !value && i < e->line_count; i++)
    has_lines |= e->lines[i].label == label;
  if (label == WI_FINDING_NO_LABEL || index > has_lines)
    return false;
  size_t size =
      value ? (size_t)sprintf(text, "wasm-perf callers --value %s ", value)
            : (size_t)sprintf(text, "wasm-perf %s ", index < has_lines ? "annotate" : "callers");
  size += quote(text + size, e->shown->functions[label].name);
  text[size++] = ' ';
  quote(text + size, e->title);
  return true;
}

/* ---- Text and Markdown ------------------------------------------------------ */

static void write_escaped(const explain_writer *w, const char *text) {
  if (w->is_markdown)
    wi_markdown_write(text, w->stream);
  else
    fputs(text, w->stream);
}

static void write_heading(const explain_writer *w, const char *text) {
  fprintf(w->stream, w->is_markdown ? "\n## %s\n\n" : "\n%s\n", text);
}

/* Writes the heading of a Markdown table; in text, headings are part of the rows' texts. */
static void write_columns(const explain_writer *w, const char *const *columns) {
  if (!w->is_markdown)
    return;
  for (unsigned i = 0; columns[i]; i++)
    fprintf(w->stream, "| %s ", columns[i]);
  fputs("|\n", w->stream);
  for (unsigned i = 0; columns[i]; i++)
    fputs(columns[i + 1] ? "|--:" : "|---", w->stream);
  fputs("|\n", w->stream);
}

static void write_number(const explain_writer *w, uint32_t width, const char *text) {
  uint32_t needed = wi_text_width(text);
  if (w->is_markdown)
    fprintf(w->stream, "| %s ", text);
  else
    wi_write_cell(WI_STYLE_PLAIN, text, width > needed ? width : needed, w->stream);
}

/* Writes the last cell of a row: a name and the text after it. */
static void write_last(const explain_writer *w, const char *name, const char *rest) {
  if (w->is_markdown)
    fputs("| ", w->stream);
  write_escaped(w, name);
  if (*rest) {
    fputs("  ", w->stream);
    write_escaped(w, rest);
  }
  fputs(w->is_markdown ? " |\n" : "\n", w->stream);
}

/* "parse.c:12", or an empty text. */
static void place_text(char *text, size_t size, const char *file, uint32_t line) {
  char shown[WI_SHORTENED_SIZE], clean[WI_LABEL_MAX_SIZE + 1];
  const char *slash = file ? strrchr(file, '/') : NULL;
  text[0] = '\0';
  if (!file)
    return;
  wi_label_clean(clean, slash ? slash + 1 : file, 0);
  wi_shorten(shown, clean, MAX_PATH_WIDTH);
  snprintf(text, size, line > 0 ? "%s:%" PRIu32 : "%s", shown, line);
}

/* ---- The parts ------------------------------------------------------------ */

static void write_totals(const explain_writer *w) {
  const wi_summary *summary = w->e->summary;
  if (w->is_markdown)
    fputs("# ", w->stream);
  write_escaped(w, w->e->title);
  fputs(w->is_markdown ? "\n\n" : "\n", w->stream);
  for (unsigned i = 0; i < summary->line_count; i++) {
    if (summary->is_caution[i])
      continue;
    fputs(w->is_markdown ? "* " : "", w->stream);
    write_escaped(w, summary->lines[i]);
    fputc('\n', w->stream);
  }
}

static void write_findings(const explain_writer *w) {
  const wi_findings *findings = &w->e->findings;
  if (findings->count > 0)
    write_heading(w, "Findings");
  for (unsigned i = 0; i < findings->count; i++) {
    char text[WI_FINDING_SIZE];
    wi_finding_write(&findings->list[i], w->shown, text);
    fputs("* ", w->stream);
    write_escaped(w, text);
    fputc('\n', w->stream);
  }
}

static void write_function(const explain_writer *w, uint32_t index) {
  uint32_t label = w->e->rows[index];
  const wi_part_function *function = &w->shown->functions[label];
  const wi_shown_function *of = &w->shown->of[label];
  wi_time_note note = (wi_time_note)w->shown->notes[label];
  char place[4 * WI_SHORTENED_SIZE];
  uint64_t value = w->e->ranks_calls ? of->calls : of->self;
  write_number(w, SHARE_WIDTH, wi_format_percentage(value, w->e->whole, 2).text);
  if (!w->e->ranks_calls)
    write_number(w, VALUE_WIDTH, wi_format_value(w->shown->unit, of->self).text);
  write_number(w, CALLS_WIDTH, wi_format_calls(of->calls, of->calls != WI_SHOWN_UNCOUNTED).text);
  place_text(place, sizeof place, function->file, function->line);
  if (note != WI_TIME_NONE)
    strcat(strcat(place, *place ? "  " : ""), wi_time_note_text(note));
  write_last(w, wi_fitted_text(&w->names[index]), place);
}

static void write_functions(const explain_writer *w) {
  static const char *const columns[] = {"self %", "self", "calls", "function", NULL};
  static const char *const call_columns[] = {"%", "calls", "function", NULL};
  bool ranks_calls = w->e->ranks_calls;
  if (w->e->row_count == 0)
    return;
  write_heading(w, ranks_calls ? "Functions with the most calls (%, calls)"
                               : "Functions with the highest self cost (%, self, calls)");
  write_columns(w, ranks_calls ? call_columns : columns);
  for (uint32_t i = 0; i < w->e->row_count; i++)
    write_function(w, i);
}

static void write_skipped(const explain_writer *w) {
  char text[96];
  snprintf(text, sizeof text, "\xE2\x80\xA6 %s",
           wi_format_quantity(w->e->skipped_count, "more frame").text);
  write_number(w, SHARE_WIDTH, "");
  write_number(w, VALUE_WIDTH, "");
  write_last(w, text, "");
}

static void write_path(const explain_writer *w) {
  static const char *const columns[] = {"total %", "total", "function", NULL};
  if (w->e->step_count == 0)
    return;
  write_heading(w, "Heaviest path, outermost first (%, total)");
  write_columns(w, columns);
  for (uint32_t i = 0; i < w->e->step_count; i++) {
    const wi_path_step *step = &w->e->steps[i];
    uint64_t total = w->shown->totals[step->node];
    char times[80] = "";
    if (i == w->e->skipped_after)
      write_skipped(w);
    if (step->count > 1)
      snprintf(times, sizeof times, "\xC3\x97%s", wi_format_count(step->count).text);
    write_number(w, SHARE_WIDTH, wi_format_percentage(total, w->shown->totals[0], 2).text);
    write_number(w, VALUE_WIDTH, wi_format_value(w->shown->unit, total).text);
    write_last(w, wi_fitted_text(&w->names[WI_EXPLAINED_FUNCTIONS + i]), times);
  }
}

static void write_lines(const explain_writer *w) {
  static const char *const columns[] = {"%", "instructions", "executed", "line", NULL};
  if (w->e->line_count == 0)
    return;
  write_heading(w, "Hottest lines (%, instructions, executed)");
  write_columns(w, columns);
  for (uint32_t i = 0; i < w->e->line_count; i++) {
    const wasm_perf_line *line = &w->e->lines[i].line;
    char place[4 * WI_SHORTENED_SIZE];
    write_number(w, SHARE_WIDTH,
                 wi_format_percentage(line->instruction_count, w->e->line_whole, 2).text);
    write_number(w, VALUE_WIDTH, wi_format_count(line->instruction_count).text);
    write_number(w, CALLS_WIDTH, wi_format_count(line->execution_count).text);
    place_text(place, sizeof place, w->e->report->profile->lines.files[line->file], line->line);
    write_last(w, place, wi_fitted_text(&w->names[NAME_COUNT - WI_EXPLAINED_LINES + i]));
  }
}

static void write_cautions(const explain_writer *w) {
  const wi_summary *summary = w->e->summary;
  bool has_begun = false;
  for (unsigned i = 0; i < summary->line_count; i++) {
    if (!summary->is_caution[i])
      continue;
    if (!has_begun)
      write_heading(w, "Cautions");
    has_begun = true;
    fputs("* ", w->stream);
    write_escaped(w, summary->lines[i]);
    fputc('\n', w->stream);
  }
}

/* Omits a command that is too long to type: it would fill the screen. */
static void write_next(const explain_writer *w) {
  enum { MAX_COMMAND_SIZE = 400 };
  char *command = malloc(WI_COMMAND_SIZE);
  unsigned count = 0;
  while (command && wi_explain_next_command(w->e, count, command) &&
         strlen(command) <= MAX_COMMAND_SIZE) {
    if (count == 0)
      write_heading(w, "Next");
    fprintf(w->stream, "%s%s\n", count == 0 && w->is_markdown ? "```sh\n" : "", command);
    count++;
  }
  if (count > 0 && w->is_markdown)
    fputs("```\n", w->stream);
  free(command);
}

/* ---- Entry points --------------------------------------------------------- */

static void set_name(explain_writer *w, uint32_t index, uint32_t label) {
  w->names[index] =
      (wi_fitted_name){.name = w->shown->functions[label].name, .width = MAX_NAME_WIDTH};
}

static bool fit_names(explain_writer *w) {
  for (uint32_t i = 0; i < NAME_COUNT; i++)
    w->names[i].name = "";
  for (uint32_t i = 0; i < w->e->row_count; i++)
    set_name(w, i, w->e->rows[i]);
  for (uint32_t i = 0; i < w->e->step_count; i++)
    set_name(w, WI_EXPLAINED_FUNCTIONS + i, w->shown->labels[w->e->steps[i].node]);
  for (uint32_t i = 0; i < w->e->line_count; i++)
    set_name(w, NAME_COUNT - WI_EXPLAINED_LINES + i, w->e->lines[i].label);
  return wi_names_fit(w->names, NAME_COUNT);
}

static bool write_explanation(const wi_explanation *e, bool is_markdown, FILE *stream) {
  explain_writer w = {.e = e, .shown = e->shown, .is_markdown = is_markdown, .stream = stream};
  bool ok = fit_names(&w);
  if (ok) {
    write_totals(&w);
    write_findings(&w);
    write_functions(&w);
    write_path(&w);
    write_lines(&w);
    write_cautions(&w);
    write_next(&w);
  }
  wi_names_clear(w.names, NAME_COUNT);
  return ok;
}

static bool explain(const wi_report *report, bool is_markdown, FILE *stream) {
  wi_shown shown;
  wi_explanation e;
  if (!wi_report_show(&shown, report))
    return false;
  bool ok = wi_explanation_init(&e, &shown, report) && write_explanation(&e, is_markdown, stream);
  wi_shown_clear(&shown);
  return ok;
}

static bool write_text(const wi_report *report, FILE *stream) {
  return explain(report, false, stream);
}

bool wi_explain_write_markdown(const wi_report *report, FILE *stream) {
  return explain(report, true, stream);
}

bool wi_explain_part(const wi_shown *shown, const char *title, const wi_summary *summary,
                     FILE *stream) {
  wi_explanation e;
  return wi_explanation_init_part(&e, shown, title, summary) && write_explanation(&e, true, stream);
}

static bool report_text(const wasm_perf_profile *profile, const wasm_perf_report_options *options,
                        FILE *stream) {
  return wi_report_write(profile, options, WI_STACKS_WHOLE, write_text, stream);
}

static bool report_markdown(const wasm_perf_profile *profile,
                            const wasm_perf_report_options *options, FILE *stream) {
  return wi_report_write(profile, options, WI_STACKS_WHOLE, wi_explain_write_markdown, stream);
}

const wasm_perf_report_format wasm_perf_explained = {"text", NULL, "for a terminal", report_text,
                                                     0};
const wasm_perf_report_format wasm_perf_explained_markdown = {"md", "md", "Markdown, for an issue",
                                                              report_markdown, 0};
