#include "report/formats/html/lines.h"

#include <stdlib.h>

#include "report/model/inlined_costs.h"
#include "report/model/line_costs.h"
#include "report/model/line_totals.h"
#include "report/text/source_file.h"
#include "support/arithmetic.h"

#define MAX_LINES     20000u /* of all functions; the most costly ones are included */
#define MAX_GAP       40u    /* lines without code between two with code, shown if there is text */
#define MAX_TEXT_SIZE 241u   /* of a line, including the terminator */
#define MAX_VISITS    (UINT64_C(1) << 26) /* of nodes, for totals: each function visits them all */

/* The lines of a function. */
typedef struct line_part {
  const wi_line_cost *items;
  uint32_t count;
  uint64_t instruction_count;
} line_part;

/* The last file read. The next line is probably in the same file. */
typedef struct last_source {
  const wi_report *report;
  uint32_t file;
  bool is_open;
  wi_source_file source;
} last_source;

static int compare_parts(const void *left, const void *right) {
  const line_part *a = left, *b = right;
  if (a->instruction_count != b->instruction_count)
    return a->instruction_count > b->instruction_count ? -1 : 1;
  return (a->items->label > b->items->label) - (a->items->label < b->items->label);
}

static uint32_t find_parts(const wi_line_costs *costs, line_part *parts) {
  uint32_t count = 0;
  for (uint32_t i = 0; i < costs->count; i++) {
    const wi_line_cost *cost = &costs->items[i];
    if (i == 0 || cost->label != cost[-1].label)
      parts[count++] = (line_part){.items = cost};
    line_part *part = &parts[count - 1];
    part->count++;
    part->instruction_count =
        wi_saturating_add(part->instruction_count, cost->line.instruction_count);
  }
  qsort(parts, count, sizeof *parts, compare_parts);
  return count;
}

/* Whether the page may contain the text. Sources may be confidential, so only if requested. */
static bool has_text(const last_source *last, uint32_t file) {
  return file != WASM_PERF_NO_FILE && (last->report->options.source_folder ||
                                       wi_source_is_text(last->report->profile->lines.files[file]));
}

static void read_line(last_source *last, const wasm_perf_line *line, char text[MAX_TEXT_SIZE]) {
  text[0] = '\0';
  if (!has_text(last, line->file))
    return;
  if (last->file != line->file) {
    if (last->is_open)
      wi_source_file_clear(&last->source);
    last->file = line->file;
    last->is_open = wi_source_file_open(&last->source, &last->report->profile->lines, line->file,
                                        last->report->options.source_folder, false);
  }
  if (last->is_open)
    wi_source_file_line(&last->source, line->line, text, MAX_TEXT_SIZE);
}

/* `total`: the line's cost with its callees, or NULL. */
static void write_line(wi_json *json, const wasm_perf_line *line, const uint64_t *total,
                       last_source *last) {
  char text[MAX_TEXT_SIZE];
  read_line(last, line, text);
  wi_json_open(json, NULL, '[');
  wi_json_integer(json, NULL, line->line > 0 ? line->file : 0);
  wi_json_integer(json, NULL, line->line);
  wi_json_integer(json, NULL, line->instruction_count);
  wi_json_integer(json, NULL, line->execution_count);
  wi_json_integer(json, NULL, line->call_count);
  wi_json_string(json, NULL, text);
  if (total)
    wi_json_integer(json, NULL, *total);
  wi_json_close(json, ']');
}

/* Writes the text between two lines of a file, without counts. */
static void write_gap(wi_json *json, const wasm_perf_line *from, const wasm_perf_line *to,
                      last_source *last) {
  bool is_gap = from->file == to->file && from->line > 0 && to->line > from->line &&
                to->line - from->line <= MAX_GAP;
  char text[MAX_TEXT_SIZE];
  read_line(last, to, text);
  if (!is_gap || !has_text(last, to->file) || !last->is_open)
    return;
  for (uint32_t line = from->line + 1; line < to->line; line++) {
    read_line(last, &(wasm_perf_line){.file = to->file, .line = line}, text);
    wi_json_open(json, NULL, '[');
    wi_json_integer(json, NULL, to->file);
    wi_json_integer(json, NULL, line);
    for (unsigned i = 0; i < 3; i++)
      wi_json_literal(json, NULL, "null");
    wi_json_string(json, NULL, text);
    wi_json_close(json, ']');
  }
}

/*
 * Writes a function: its name, its lines and, if some call others, its total and that of calls
 * without a line.
 */
static void write_part(wi_json *json, const wi_html_run *run, const line_part *part,
                       const wi_line_totals *totals, last_source *last) {
  wi_json_open(json, NULL, '[');
  wi_json_integer(json, NULL, run->labels[part->items->label]);
  wi_json_open(json, NULL, '[');
  for (uint32_t i = 0; i < part->count; i++) {
    if (i > 0)
      write_gap(json, &part->items[i - 1].line, &part->items[i].line, last);
    write_line(json, &part->items[i].line, totals->has_callees ? &totals->items[i] : NULL, last);
  }
  wi_json_close(json, ']');
  if (totals->has_callees) {
    wi_json_integer(json, NULL, totals->function);
    wi_json_integer(json, NULL, totals->unplaced);
  }
  wi_json_close(json, ']');
}

/* Writes functions until the lines or memory run out, and how many are left out. */
static bool write_functions(wi_json *json, const wi_html_run *run, const wi_line_costs *costs,
                            const wi_call_lines *calls, const line_part *parts, uint32_t count) {
  last_source last = {.report = run->report, .file = UINT32_MAX};
  uint32_t room = MAX_LINES, written = 0;
  uint64_t visits = 0;
  bool done = true;
  wi_json_open(json, "functions", '[');
  for (; done && written < count && parts[written].count <= room; written++) {
    const line_part *part = &parts[written];
    wi_line_totals totals = {0};
    room -= part->count;
    visits += run->report->tree->node_count;
    if (visits <= MAX_VISITS)
      done = wi_line_totals_init(&totals, run->report, costs, calls, part->items, part->count);
    if (done)
      write_part(json, run, part, &totals, &last);
    wi_line_totals_clear(&totals);
  }
  wi_json_close(json, ']');
  if (last.is_open)
    wi_source_file_clear(&last.source);
  wi_json_integer(json, "leftOut", count - written);
  return done;
}

/* Writes what was inlined: the function around it, its name, its instructions; the largest first. */
static bool write_inlined(wi_json *json, const wi_html_run *run) {
  const wasm_perf_profile *profile = run->report->profile;
  wi_inlined_costs costs;
  if (!wi_inlined_costs_init(&costs, run->report->tree, profile))
    return false;
  wi_json_open(json, "inlined", '[');
  for (uint32_t i = 0; i < costs.count && i < MAX_LINES; i++) {
    char name[WI_LABEL_MAX_SIZE + 1];
    wi_label_clean(name, profile->lines.inlined[costs.items[i].inlined].name, 0);
    wi_json_open(json, NULL, '[');
    wi_json_integer(json, NULL, run->labels[costs.items[i].label]);
    wi_json_string(json, NULL, name);
    wi_json_integer(json, NULL, costs.items[i].instruction_count);
    wi_json_close(json, ']');
  }
  wi_json_close(json, ']');
  wi_inlined_costs_clear(&costs);
  return true;
}

static void write_files(wi_json *json, const wasm_perf_lines *lines) {
  char path[WI_LABEL_MAX_SIZE + 1];
  wi_json_open(json, "files", '[');
  for (uint32_t i = 0; i < lines->file_count; i++) {
    wi_label_clean(path, lines->files[i], 0);
    wi_json_string(json, NULL, path);
  }
  wi_json_close(json, ']');
}

static bool write_lines(wi_json *json, const wi_html_run *run, const wi_line_costs *costs,
                        line_part *parts) {
  const wasm_perf_profile *profile = run->report->profile;
  wi_call_lines calls;
  if (!wi_call_lines_init(&calls, run->report->tree, profile, costs))
    return false;
  wi_json_open(json, "lines", '{');
  write_files(json, &profile->lines);
  bool done = write_inlined(json, run) &&
              write_functions(json, run, costs, &calls, parts, find_parts(costs, parts));
  wi_json_close(json, '}');
  wi_call_lines_clear(&calls);
  return done;
}

bool wi_html_lines_write(wi_json *json, const wi_html_data *data) {
  const wi_html_run *run = &data->runs[0];
  const wasm_perf_profile *profile = run->report->profile;
  if (data->run_count > 1 || profile->lines.count == 0)
    return true;
  wi_line_costs costs;
  if (!wi_line_costs_init(&costs, run->report->tree, profile, false))
    return false;
  line_part *parts = calloc(costs.count + (size_t)1, sizeof *parts);
  bool ok = parts && write_lines(json, run, &costs, parts);
  free(parts);
  wi_line_costs_clear(&costs);
  return ok;
}
