/* An explanation for programs: wasm_perf/explanation.schema.json. */
#include <stdlib.h>

#include "report/encode/json_parts.h"
#include "report/model/report_shown.h"
#include "report/text/explain.h"

#define FORMAT_VERSION 1

typedef struct explain_json {
  const wi_explanation *e;
  const wi_report *report;
  const wi_shown *shown;
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
  wi_json_integer(json, "total", w->shown->totals[0]);
  wi_json_integer(json, "calls", w->report->tree->call_count);
  wi_json_integer(json, "functions", w->shown->label_count);
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

static void write_findings(explain_json *w) {
  const wi_findings *findings = &w->e->findings;
  wi_json_open(&w->json, "findings", '[');
  for (unsigned i = 0; i < findings->count; i++) {
    const wi_finding *finding = &findings->list[i];
    char text[WI_FINDING_SIZE];
    wi_finding_write(finding, w->shown, text);
    wi_json_open(&w->json, NULL, '{');
    wi_json_string(&w->json, "text", text);
    if (finding->label != WI_FINDING_NO_LABEL)
      wi_json_string(&w->json, "function", w->shown->functions[finding->label].name);
    wi_json_close(&w->json, '}');
  }
  wi_json_close(&w->json, ']');
}

static void write_note(wi_json *json, wi_time_note note) {
  if (note == WI_TIME_IN_CALLER)
    wi_json_literal(json, "inlined", "true");
  else if (note == WI_TIME_MOSTLY_HOOKS)
    wi_json_literal(json, "mostly_hooks", "true");
  else if (note == WI_TIME_COMPILING)
    wi_json_literal(json, "may_be_compilation", "true");
  else if (note == WI_TIME_SHIFTED)
    wi_json_literal(json, "differs_without_hooks", "true");
}

static void write_top(explain_json *w) {
  wi_json *json = &w->json;
  wi_json_open(json, "top", '[');
  for (uint32_t i = 0; i < w->e->row_count; i++) {
    uint32_t label = w->e->rows[i];
    const wi_part_function *function = &w->shown->functions[label];
    const wi_shown_function *of = &w->shown->of[label];
    wi_json_open(json, NULL, '{');
    wi_json_string(json, "name", function->name);
    wi_json_integer(json, "self", of->self);
    wi_json_integer(json, "total", of->total);
    if (of->calls != WI_SHOWN_UNCOUNTED)
      wi_json_integer(json, "calls", of->calls);
    write_note(json, (wi_time_note)w->shown->notes[label]);
    write_place(w, function->file, function->line);
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
    wi_json_string(json, "name", w->shown->functions[w->shown->labels[step->node]].name);
    wi_json_integer(json, "total", w->shown->totals[step->node]);
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
    wi_json_string(json, "function", w->shown->functions[w->e->lines[i].label].name);
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

static void write_all(explain_json *w) {
  wi_json_open(&w->json, NULL, '{');
  write_head(w);
  write_notes(w, "notes", false);
  write_findings(w);
  write_top(w);
  write_path(w);
  write_lines(w);
  write_notes(w, "cautions", true);
  write_next(w);
  wi_json_close(&w->json, '}');
}

static bool write_json(const wi_report *report, FILE *stream) {
  wi_shown shown;
  wi_explanation e;
  if (!wi_report_show(&shown, report))
    return false;
  explain_json w = {.e = &e, .report = report, .shown = &shown};
  wi_json_init(&w.json, stream);
  bool ok = wi_explanation_init(&e, &shown, report);
  if (ok)
    write_all(&w);
  ok = wi_json_finish(&w.json) && ok;
  wi_shown_clear(&shown);
  return ok;
}

static bool report_json(const wasm_perf_profile *profile, const wasm_perf_report_options *options,
                        FILE *stream) {
  return wi_report_write(profile, options, WI_STACKS_WHOLE, write_json, stream);
}

const wasm_perf_report_format wasm_perf_explained_json = {"json", "json", "for programs",
                                                          report_json, 0};
