/* An explanation for programs: wasm_perf/explanation.schema.json. */
#include <stdlib.h>

#include "report/encode/json_parts.h"
#include "report/text/explain.h"

#define FORMAT_VERSION 1

typedef struct explain_json {
  const wi_explanation *e;
  const wi_report *report;
  const wi_tree *tree;
  wi_json json;
} explain_json;

static void write_head(explain_json *w) {
  const wi_view *view = &w->report->tree->view;
  const char *clock = wasm_perf_clock_name(view->clock);
  wi_json *json = &w->json;
  wi_json_string(json, "format", "wasm-perf explanation");
  wi_json_integer(json, "version", FORMAT_VERSION);
  wi_json_string(json, "title", w->report->title);
  wi_json_string(json, "clock", clock ? clock : "unknown");
  wi_json_string(json, "unit", wi_unit_name(w->report->unit));
  if (wi_view_has_measure(view, NULL))
    wi_json_string(json, "value", wi_view_name(view));
  wi_json_integer(json, "total", w->tree->nodes[0].total);
  wi_json_integer(json, "calls", w->tree->call_count);
  wi_json_integer(json, "functions", w->tree->labels.count);
}

/* Writes the summary's lines that are cautions, or those that are not. */
static void write_notes(explain_json *w, const char *key, bool cautions) {
  const wi_summary *summary = &w->report->summary;
  wi_json_open(&w->json, key, '[');
  for (unsigned i = 0; i < summary->line_count; i++)
    if (summary->is_caution[i] == cautions)
      wi_json_string(&w->json, NULL, summary->lines[i]);
  wi_json_close(&w->json, ']');
}

static void write_place(explain_json *w, const char *file, uint32_t line) {
  if (file)
    wi_json_string(&w->json, "file", file);
  if (file && line > 0)
    wi_json_integer(&w->json, "line", line);
}

static void write_top(explain_json *w) {
  wi_json *json = &w->json;
  wi_json_open(json, "top", '[');
  for (uint32_t i = 0; i < w->e->row_count; i++) {
    const wi_function_stats *row = &w->e->rows[i];
    uint32_t line = 0;
    const char *file = wi_tree_file(w->tree, row->label, &line);
    wi_json_open(json, NULL, '{');
    wi_json_string(json, "name", wi_tree_text(w->tree, row->label));
    wi_json_integer(json, "self", row->self);
    wi_json_integer(json, "total", row->total);
    if (!row->is_uncounted)
      wi_json_integer(json, "calls", row->call_count);
    if (row->note == WI_TIME_IN_CALLER)
      wi_json_literal(json, "inlined", "true");
    else if (row->note == WI_TIME_MOSTLY_HOOKS)
      wi_json_literal(json, "mostly_hooks", "true");
    else if (row->note != WI_TIME_NONE)
      wi_json_string(json, "without_hooks", row->note == WI_TIME_LESS_PLAIN ? "less" : "more");
    write_place(w, file, line);
    wi_json_close(json, '}');
  }
  wi_json_close(json, ']');
}

static void write_path(explain_json *w) {
  wi_json *json = &w->json;
  wi_json_open(json, "path", '[');
  for (uint32_t i = 0; i < w->e->step_count; i++) {
    const wi_path_step *step = &w->e->steps[i];
    wi_json_open(json, NULL, '{');
    wi_json_string(json, "name", wi_tree_text(w->tree, w->tree->nodes[step->node].label));
    wi_json_integer(json, "total", w->tree->nodes[step->node].total);
    wi_json_integer(json, "frames", step->count);
    if (i == w->e->skipped_after)
      wi_json_integer(json, "frames_left_out_before", w->e->skipped_count);
    wi_json_close(json, '}');
  }
  wi_json_close(json, ']');
}

static void write_lines(explain_json *w) {
  wi_json *json = &w->json;
  wi_json_open(json, "lines", '[');
  for (uint32_t i = 0; i < w->e->line_count; i++) {
    const wasm_perf_line *line = &w->e->lines[i].line;
    char path[WI_LABEL_MAX_SIZE + 1];
    wi_label_clean(path, w->report->profile->lines.files[line->file], 0);
    wi_json_open(json, NULL, '{');
    write_place(w, path, line->line);
    wi_json_string(json, "function", wi_tree_text(w->tree, w->e->lines[i].label));
    wi_json_integer(json, "instructions", line->instruction_count);
    wi_json_integer(json, "executed", line->execution_count);
    wi_json_close(json, '}');
  }
  wi_json_close(json, ']');
}

static void write_next(explain_json *w) {
  char *command = malloc(WI_COMMAND_SIZE);
  wi_json_open(&w->json, "next", '[');
  for (unsigned i = 0; command && wi_explain_next_command(w->e, i, command); i++)
    wi_json_string(&w->json, NULL, command);
  wi_json_close(&w->json, ']');
  free(command);
}

static bool write_json(const wi_report *report, FILE *stream) {
  wi_explanation e;
  if (!wi_explanation_init(&e, report))
    return false;
  explain_json w = {.e = &e, .report = report, .tree = report->tree};
  wi_json_init(&w.json, stream);
  wi_json_open(&w.json, NULL, '{');
  write_head(&w);
  write_notes(&w, "notes", false);
  write_top(&w);
  write_path(&w);
  write_lines(&w);
  write_notes(&w, "cautions", true);
  write_next(&w);
  wi_json_close(&w.json, '}');
  bool ok = wi_json_finish(&w.json);
  wi_explanation_clear(&e);
  return ok;
}

static bool report_json(const wasm_perf_profile *profile, const wasm_perf_report_options *options,
                        FILE *stream) {
  return wi_report_write(profile, options, WI_STACKS_WHOLE, write_json, stream);
}

const wasm_perf_report_format wasm_perf_explained_json = {"json", "json", "for programs",
                                                          report_json, 0};
