/*
 * Annotated source: a function's lines with the cost of each. Lines of other files, which were
 * inlined, form separate parts, and so do instructions without a line.
 */
#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "names/text_width.h"
#include "report/model/inlined_costs.h"
#include "report/model/line_costs.h"
#include "report/model/line_totals.h"
#include "report/model/report.h"
#include "report/text/source_file.h"
#include "report/text/text_table.h"
#include "support/arithmetic.h"

#define CONTEXT_LINES 2u /* shown around lines with numbers */
#define MAX_GAP       6u /* lines without numbers shown between lines with numbers */
#define ELLIPSIS      "\xE2\x80\xA6"
#define MAX_LINE_SIZE 4096u

enum {
  COLUMN_INSTRUCTIONS,
  COLUMN_SHARE,
  COLUMN_TOTAL, /* like the next one, only if totals are known */
  COLUMN_TOTAL_SHARE,
  COLUMN_EXECUTED,
  COLUMN_CALLS,
  COLUMN_LINE,
  COLUMN_COUNT
};

static const char *const headings[COLUMN_COUNT] = {"instructions", "%",     "total", "%",
                                                   "executed",     "calls", "line"};

typedef struct annotation {
  const wi_report *report;
  const wi_line_cost *costs; /* of the function, by file and line */
  uint32_t count;
  uint64_t whole; /* instructions of all its lines, and of what is counted in it */
  wi_line_totals totals;
  uint32_t widths[COLUMN_COUNT];
  FILE *stream;
} annotation;

/* ---- Cells ---------------------------------------------------------------- */

/* A row of the table. */
typedef struct annotated_row {
  const wasm_perf_line *line; /* NULL: without costs */
  uint64_t total;
  uint32_t number; /* 0: not a line */
} annotated_row;

static annotated_row row_of(const annotation *a, const wi_line_cost *cost) {
  uint64_t total = a->totals.items ? a->totals.items[cost - a->costs] : 0;
  return (annotated_row){&cost->line, total, cost->line.line};
}

static wi_short_text cell(const annotation *a, unsigned column, const annotated_row *row) {
  const wasm_perf_line *line = row->line;
  wi_short_text none = {""}, number = {""};
  snprintf(number.text, sizeof number.text, "%" PRIu32, row->number);
  if (column == COLUMN_LINE)
    return row->number > 0 ? number : none;
  if (!line)
    return none;
  switch (column) {
  case COLUMN_INSTRUCTIONS: return wi_format_count(line->instruction_count);
  case COLUMN_SHARE: return wi_format_percentage(line->instruction_count, a->whole, 2);
  case COLUMN_TOTAL: return wi_format_count(row->total);
  case COLUMN_TOTAL_SHARE: return wi_format_percentage(row->total, a->totals.function, 2);
  case COLUMN_EXECUTED: return wi_format_count(line->execution_count);
  default: return line->call_count > 0 ? wi_format_count(line->call_count) : none;
  }
}

static bool is_shown(const annotation *a, unsigned column) {
  return a->totals.has_callees || (column != COLUMN_TOTAL && column != COLUMN_TOTAL_SHARE);
}

static void measure(annotation *a) {
  for (unsigned column = 0; column < COLUMN_COUNT; column++) {
    wi_widen(&a->widths[column], headings[column]);
    for (uint32_t i = 0; i < a->count; i++) {
      annotated_row row = row_of(a, &a->costs[i]);
      row.number += row.number > 0 ? CONTEXT_LINES : 0;
      wi_widen(&a->widths[column], cell(a, column, &row).text);
    }
  }
}

static bool uses_color(const annotation *a) {
  return a->report->options.uses_color;
}

/* Highlights expensive lines, and dims lines that were never executed. */
static const char *style_of(const annotation *a, const wasm_perf_line *line) {
  enum { HOT_PERCENT = 20, WARM_PERCENT = 5 };
  if (!uses_color(a) || !line)
    return WI_STYLE_PLAIN;
  uint64_t percent = a->whole ? wi_scale(line->instruction_count, a->whole, 100) : 0;
  return percent >= HOT_PERCENT    ? "\x1b[1;31m"
         : percent >= WARM_PERCENT ? "\x1b[33m"
         : line->execution_count   ? WI_STYLE_PLAIN
                                   : WI_STYLE_FAINT;
}

/* ---- Lines ---------------------------------------------------------------- */

static void write_text(const annotation *a, const wi_source_file *source, uint32_t number) {
  char text[MAX_LINE_SIZE];
  wi_source_file_line(source, number, text, sizeof text);
  uint32_t used = 0, width = a->report->options.width;
  for (unsigned column = 0; column < COLUMN_COUNT; column++)
    used += is_shown(a, column) ? a->widths[column] + WI_GAP_WIDTH : 0;
  const char *end = text;
  uint32_t next_width = 0;
  for (const char *at = text; *at; at = end) {
    end = wi_text_next(at, &next_width);
    used += next_width;
    if (width > 0 && used > width) {
      text[at - text] = '\0';
      break;
    }
  }
  fprintf(a->stream, "%s\n", text);
}

static void write_cells(const annotation *a, const annotated_row *row) {
  for (unsigned column = 0; column < COLUMN_COUNT; column++)
    if (is_shown(a, column))
      wi_write_cell(style_of(a, row->line), cell(a, column, row).text, a->widths[column],
                    a->stream);
}

static void write_line(const annotation *a, const wi_source_file *source,
                       const annotated_row *row) {
  write_cells(a, row);
  write_text(a, source, row->number);
}

/* Writes a line without costs. */
static void write_plain_line(const annotation *a, const wi_source_file *source, uint32_t number) {
  write_line(a, source, &(annotated_row){.number = number});
}

/*
 * Writes the lines after `*shown` up to `end`, which have no numbers; only some of them if they are
 * many.
 */
static void write_gap(const annotation *a, const wi_source_file *source, bool is_text,
                      uint32_t *shown, uint32_t end) {
  uint32_t from = *shown + 1, count = end > from ? end - from : 0;
  bool is_first = *shown == 0;
  uint32_t head = is_first ? 0 : CONTEXT_LINES, tail = CONTEXT_LINES;
  if (is_text) {
    /* Shows all: the `end` of a block has no numbers, but shows the nesting. */
  } else if (is_first || count > MAX_GAP) {
    for (uint32_t i = 0; i < head && from + i < end; i++)
      write_plain_line(a, source, from + i);
    if (!is_first)
      fprintf(a->stream, "%*s\n", (int)a->widths[COLUMN_INSTRUCTIONS] + 2, ELLIPSIS);
    from = end > tail ? end - tail : 1;
  }
  for (; from < end; from++)
    write_plain_line(a, source, from);
}

/* Writes a row for the instructions without a line. */
static void write_rest(const annotation *a, const wi_line_cost *cost) {
  annotated_row row = row_of(a, cost);
  fputc('\n', a->stream);
  write_cells(a, &row);
  fputs("(no line)\n", a->stream);
}

/* Writes costs that belong to the function, but to no instruction of it. */
static void write_other(const annotation *a, uint64_t self, uint64_t total, const char *name) {
  if (total == 0)
    return;
  for (unsigned column = 0; column < COLUMN_COUNT; column++) {
    wi_short_text text = {""};
    if (column == COLUMN_INSTRUCTIONS && self > 0)
      text = wi_format_count(self);
    else if (column == COLUMN_SHARE && self > 0)
      text = wi_format_percentage(self, a->whole, 2);
    else if (column == COLUMN_TOTAL)
      text = wi_format_count(total);
    else if (column == COLUMN_TOTAL_SHARE)
      text = wi_format_percentage(total, a->totals.function, 2);
    if (is_shown(a, column))
      wi_write_cell(WI_STYLE_PLAIN, text.text, a->widths[column], a->stream);
  }
  fprintf(a->stream, "(%s)\n", name);
}

/* Writes the lines of one file. */
static void write_file(const annotation *a, const wi_line_cost *costs, uint32_t count) {
  char path[WI_LABEL_MAX_SIZE + 1];
  const char *file = a->report->profile->lines.files[costs->line.file];
  wi_source_file source = {0};
  wi_label_clean(path, file, 0);
  const wasm_perf_report_options *options = &a->report->options;
  bool may_open = options->source_folder || options->opens_paths;
  bool is_there = wi_source_file_open(&source, &a->report->profile->lines, costs->line.file,
                                      options->source_folder, options->opens_paths);
  fprintf(a->stream, "\n%s%s\n\n", path,
          is_there   ? ""
          : may_open ? " (not found: give its folder with --source)"
                     : " (not read: a file shows only sources in the folder of --source)");
  for (unsigned column = 0; column < COLUMN_COUNT; column++)
    if (is_shown(a, column))
      wi_write_cell(uses_color(a) ? WI_STYLE_HEADING : WI_STYLE_PLAIN, headings[column],
                    a->widths[column], a->stream);
  fputs("source\n", a->stream);
  uint32_t shown = 0;
  for (uint32_t i = 0; i < count && !ferror(a->stream); i++) {
    if (is_there)
      write_gap(a, &source, wi_source_is_text(file), &shown, costs[i].line.line);
    annotated_row row = row_of(a, &costs[i]);
    write_line(a, &source, &row);
    shown = costs[i].line.line;
  }
  for (uint32_t i = 1; is_there && i <= CONTEXT_LINES && shown + i <= source.line_count; i++)
    write_plain_line(a, &source, shown + i);
  wi_source_file_clear(&source);
}

/* ---- Files ---------------------------------------------------------------- */

/* The range of a file's lines among the function's. */
typedef struct file_part {
  uint32_t first, count;
  bool is_rest; /* lines without a file; sorted last */
  uint64_t instruction_count;
} file_part;

static int compare_parts(const void *left, const void *right) {
  const file_part *a = left, *b = right;
  if (a->is_rest != b->is_rest)
    return a->is_rest ? 1 : -1;
  if (a->instruction_count != b->instruction_count)
    return a->instruction_count > b->instruction_count ? -1 : 1;
  return (a->first > b->first) - (a->first < b->first);
}

static uint32_t find_parts(const annotation *a, file_part *parts) {
  uint32_t count = 0;
  for (uint32_t i = 0; i < a->count; i++) {
    if (i == 0 || a->costs[i].line.file != a->costs[i - 1].line.file)
      parts[count++] =
          (file_part){.first = i, .is_rest = a->costs[i].line.file == WASM_PERF_NO_FILE};
    file_part *part = &parts[count - 1];
    part->count++;
    part->instruction_count =
        wi_saturating_add(part->instruction_count, a->costs[i].line.instruction_count);
  }
  qsort(parts, count, sizeof *parts, compare_parts);
  return count;
}

static bool write_parts(const annotation *a) {
  file_part *parts = calloc(a->count + (size_t)1, sizeof *parts);
  uint32_t count = parts ? find_parts(a, parts) : 0;
  for (uint32_t i = 0; i < count; i++) {
    const wi_line_cost *first = &a->costs[parts[i].first];
    if (first->line.file == WASM_PERF_NO_FILE)
      write_rest(a, first);
    else
      write_file(a, first, parts[i].count);
  }
  write_other(a, a->totals.uncounted, a->totals.uncounted, "functions counted in this one");
  write_other(a, 0, a->totals.unplaced, "calls whose line is unknown");
  free(parts);
  return parts != NULL;
}

/* ---- Inlined functions ---------------------------------------------------- */

enum { MAX_INLINED = 10 };

static void write_inlined_row(const annotation *a, const wi_inlined_cost *cost) {
  const wasm_perf_lines *lines = &a->report->profile->lines;
  const wasm_perf_inlined *inlined = &lines->inlined[cost->inlined];
  char text[WI_LABEL_MAX_SIZE + 1];
  wi_write_cell(WI_STYLE_PLAIN, wi_format_count(cost->instruction_count).text,
                a->widths[COLUMN_INSTRUCTIONS], a->stream);
  wi_write_cell(WI_STYLE_PLAIN, wi_format_percentage(cost->instruction_count, a->whole, 2).text,
                a->widths[COLUMN_SHARE], a->stream);
  wi_label_clean(text, inlined->name, 0);
  fputs(text, a->stream);
  if (inlined->file != WASM_PERF_NO_FILE) {
    const char *path = lines->files[inlined->file], *last = strrchr(path, '/');
    wi_label_clean(text, last ? last + 1 : path, 0);
    fprintf(a->stream, "  %s:%" PRIu32, text, inlined->line);
  }
  fputc('\n', a->stream);
}

/* Writes the self costs of the functions that were inlined into this one. */
static bool write_inlined(const annotation *a, uint32_t label) {
  wi_inlined_costs costs;
  uint32_t count;
  if (!wi_inlined_costs_init(&costs, a->report->tree, a->report->profile))
    return false;
  const wi_inlined_cost *items = wi_inlined_costs_find(&costs, label, &count);
  while (count > 0 && items[count - 1].instruction_count == 0) /* never executed there */
    count--;
  if (count > 0) {
    fputc('\n', a->stream);
    for (unsigned column = COLUMN_INSTRUCTIONS; column <= COLUMN_SHARE; column++)
      wi_write_cell(uses_color(a) ? WI_STYLE_HEADING : WI_STYLE_PLAIN, headings[column],
                    a->widths[column], a->stream);
    fputs("inlined function\n", a->stream);
  }
  for (uint32_t i = 0; i < count && i < MAX_INLINED; i++)
    write_inlined_row(a, &items[i]);
  if (count > MAX_INLINED)
    fprintf(a->stream, "%" PRIu32 " more\n", count - MAX_INLINED);
  wi_inlined_costs_clear(&costs);
  return true;
}

/* ---- Entry points --------------------------------------------------------- */

static uint64_t calls_of(const wi_tree *tree, uint32_t label) {
  uint64_t sum = 0;
  for (uint32_t i = 1; i < tree->node_count; i++)
    if (tree->nodes[i].label == label)
      sum = wi_saturating_add(sum, tree->nodes[i].call_count);
  return sum;
}

static bool write_function(annotation *a, uint32_t label) {
  const wi_tree *tree = a->report->tree;
  for (uint32_t i = 0; i < a->count; i++)
    a->whole = wi_saturating_add(a->whole, a->costs[i].line.instruction_count);
  a->whole = wi_saturating_add(a->whole, a->totals.uncounted);
  fprintf(a->stream, "%s: %s, %s", wi_tree_text(tree, label),
          wi_format_calls(calls_of(tree, label), wi_tree_is_counted(tree, label)).text,
          wi_format_quantity(a->whole, "instruction").text);
  if (a->totals.has_callees)
    fprintf(a->stream, "; total with callees %s", wi_format_count(a->totals.function).text);
  fputc('\n', a->stream);
  measure(a);
  return write_inlined(a, label) && write_parts(a);
}

static bool find_label(const wi_tree *tree, const char *name, uint32_t *label) {
  for (*label = 0; *label < tree->labels.count; ++*label)
    if (strcmp(wi_tree_text(tree, *label), name) == 0)
      return true;
  errno = EINVAL;
  return false;
}

static bool write_annotated(const wi_report *report, FILE *stream) {
  wi_line_costs costs;
  wi_call_lines calls = {0};
  annotation a = {.report = report, .stream = stream};
  uint32_t label;
  if (!find_label(report->tree, report->options.function, &label) ||
      !wi_line_costs_init(&costs, report->tree, report->profile, false))
    return false;
  a.costs = wi_line_costs_find(&costs, label, &a.count);
  if (a.count == 0)
    errno = ENOENT;
  bool ok = a.count > 0 && wi_call_lines_init(&calls, report->tree, report->profile, &costs) &&
            wi_line_totals_init(&a.totals, report, &costs, &calls, a.costs, a.count) &&
            write_function(&a, label);
  wi_line_totals_clear(&a.totals);
  wi_call_lines_clear(&calls);
  wi_line_costs_clear(&costs);
  return ok;
}

static bool report_annotated(const wasm_perf_profile *profile,
                             const wasm_perf_report_options *options, FILE *stream) {
  return wi_report_write(profile, options, WI_STACKS_WHOLE, write_annotated, stream);
}

const wasm_perf_report_format wasm_perf_annotated = {
    "annotate", NULL, "the source of a function with the cost of each line", report_annotated,
    WASM_PERF_FORMAT_NEEDS_FUNCTION | WASM_PERF_FORMAT_NEEDS_LINES};
