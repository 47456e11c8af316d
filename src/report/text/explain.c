/* Writes an explanation for readers, as text or, with the same content, as Markdown. */
#include "report/text/explain.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "names/names_fit.h"
#include "names/shorten.h"
#include "names/text_width.h"
#include "report/model/report_findings.h"
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
  const wi_report *report;
  const wi_tree *tree;
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
  const wi_function_stats *row = wi_explanation_next(e);
  const char *value = wi_view_name(&e->report->tree->view);
  bool has_lines = false;
  for (uint32_t i = 0; row && !value && i < e->line_count; i++)
    has_lines |= e->lines[i].label == row->label;
  if (!row || index > has_lines)
    return false;
  size_t size =
      value ? (size_t)sprintf(text, "wasm-perf callers --value %s ", value)
            : (size_t)sprintf(text, "wasm-perf %s ", index < has_lines ? "annotate" : "callers");
  size += quote(text + size, wi_tree_text(e->report->tree, row->label));
  text[size++] = ' ';
  quote(text + size, e->report->title);
  return true;
}

/* ---- Text and Markdown ------------------------------------------------------ */

static void write_escaped(const explain_writer *w, const char *text) {
  for (; *text; text++) {
    if (w->is_markdown && strchr("\\`*_<>[]|#~", *text))
      fputc('\\', w->stream);
    fputc(*text, w->stream);
  }
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
  const wi_summary *summary = &w->report->summary;
  if (w->is_markdown)
    fputs("# ", w->stream);
  write_escaped(w, w->report->title);
  fputs(w->is_markdown ? "\n\n" : "\n", w->stream);
  for (unsigned i = 0; i < summary->line_count; i++) {
    if (summary->is_caution[i])
      continue;
    fputs(w->is_markdown ? "* " : "", w->stream);
    write_escaped(w, summary->lines[i]);
    fputc('\n', w->stream);
  }
}

static bool write_findings(const explain_writer *w) {
  const char *none = wi_report_no_findings(w->report);
  wi_findings findings = {.count = 0};
  if (!none && !wi_report_find(&findings, w->report))
    return false;
  if (none || findings.count > 0)
    write_heading(w, "Findings");
  if (none)
    fprintf(w->stream, "* %s\n", none);
  for (unsigned i = 0; i < findings.count; i++) {
    const wi_finding *finding = &findings.list[i];
    char name[WI_SHORTENED_SIZE] = "";
    if (finding->label != WI_FINDING_NO_LABEL)
      wi_shorten(name, wi_tree_text(w->tree, finding->label), WI_SENTENCE_WIDTH);
    fputs("* ", w->stream);
    write_escaped(w, finding->before);
    write_escaped(w, name);
    bool is_spaced = *name && strchr(",;:", *finding->after) == NULL;
    fputs(is_spaced && *finding->after ? " " : "", w->stream);
    write_escaped(w, finding->after);
    fputc('\n', w->stream);
  }
  return true;
}

static void write_functions(const explain_writer *w) {
  static const char *const columns[] = {"self %", "self", "calls", "function", NULL};
  static const char *const call_columns[] = {"%", "calls", "function", NULL};
  bool has_clock = !wi_explanation_ranks_calls(w->report);
  uint64_t whole = has_clock ? w->tree->nodes[0].total : w->tree->call_count;
  if (w->e->row_count == 0)
    return;
  write_heading(w, has_clock ? "Functions with the highest self cost (%, self, calls)"
                             : "Functions with the most calls (%, calls)");
  write_columns(w, has_clock ? columns : call_columns);
  for (uint32_t i = 0; i < w->e->row_count; i++) {
    const wi_function_stats *row = &w->e->rows[i];
    char place[4 * WI_SHORTENED_SIZE];
    uint32_t line = 0;
    const char *file = wi_tree_file(w->tree, row->label, &line);
    uint64_t value = has_clock ? row->self : row->call_count;
    write_number(w, SHARE_WIDTH, wi_format_percentage(value, whole, 2).text);
    if (has_clock)
      write_number(w, VALUE_WIDTH, wi_format_value(w->report->unit, row->self).text);
    write_number(w, CALLS_WIDTH, wi_format_calls(row->call_count, !row->is_uncounted).text);
    place_text(place, sizeof place, file, line);
    if (row->note != WI_TIME_NONE)
      strcat(strcat(place, *place ? "  " : ""), wi_time_note_text(row->note));
    write_last(w, wi_fitted_text(&w->names[i]), place);
  }
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
    uint64_t total = w->tree->nodes[step->node].total;
    char times[80] = "";
    if (i == w->e->skipped_after)
      write_skipped(w);
    if (step->count > 1)
      snprintf(times, sizeof times, "\xC3\x97%s", wi_format_count(step->count).text);
    write_number(w, SHARE_WIDTH, wi_format_percentage(total, w->tree->nodes[0].total, 2).text);
    write_number(w, VALUE_WIDTH, wi_format_value(w->report->unit, total).text);
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
    place_text(place, sizeof place, w->report->profile->lines.files[line->file], line->line);
    write_last(w, place, wi_fitted_text(&w->names[NAME_COUNT - WI_EXPLAINED_LINES + i]));
  }
}

static void write_cautions(const explain_writer *w) {
  const wi_summary *summary = &w->report->summary;
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
  w->names[index] = (wi_fitted_name){.name = wi_tree_text(w->tree, label), .width = MAX_NAME_WIDTH};
}

static bool fit_names(explain_writer *w) {
  for (uint32_t i = 0; i < NAME_COUNT; i++)
    w->names[i].name = "";
  for (uint32_t i = 0; i < w->e->row_count; i++)
    set_name(w, i, w->e->rows[i].label);
  for (uint32_t i = 0; i < w->e->step_count; i++)
    set_name(w, WI_EXPLAINED_FUNCTIONS + i, w->tree->nodes[w->e->steps[i].node].label);
  for (uint32_t i = 0; i < w->e->line_count; i++)
    set_name(w, NAME_COUNT - WI_EXPLAINED_LINES + i, w->e->lines[i].label);
  return wi_names_fit(w->names, NAME_COUNT);
}

static bool write_explanation(const wi_report *report, bool is_markdown, FILE *stream) {
  wi_explanation e;
  if (!wi_explanation_init(&e, report))
    return false;
  explain_writer w = {.e = &e,
                      .report = report,
                      .tree = report->tree,
                      .is_markdown = is_markdown,
                      .stream = stream};
  bool ok = fit_names(&w);
  if (ok) {
    write_totals(&w);
    ok = write_findings(&w);
    write_functions(&w);
    write_path(&w);
    write_lines(&w);
    write_cautions(&w);
    write_next(&w);
  }
  wi_names_clear(w.names, NAME_COUNT);
  wi_explanation_clear(&e);
  return ok;
}

static bool write_text(const wi_report *report, FILE *stream) {
  return write_explanation(report, false, stream);
}

bool wi_explain_write_markdown(const wi_report *report, FILE *stream) {
  return write_explanation(report, true, stream);
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
