#include "report/exporters.h"
#include "report/json_parts.h"

#define SCHEMA "https://www.speedscope.app/file-format-schema.json"

typedef struct speedscope_report {
  const wasm_perf_tree *tree;
  const char *title;
  wasm_perf_unit unit;
  wasm_perf_json json;
} speedscope_report;

static void write_frames(speedscope_report *report) {
  wasm_perf_json *json = &report->json;
  const wasm_perf_tree *tree = report->tree;
  wasm_perf_json_open(json, "shared", '{');
  wasm_perf_json_open(json, "frames", '[');
  for (uint32_t label = 0; label < tree->labels.count && !wasm_perf_json_failed(json); label++) {
    wasm_perf_json_open(json, NULL, '{');
    wasm_perf_json_string(json, "name", wasm_perf_tree_text(tree, label));
    if (wasm_perf_tree_is_host(tree, label))
      wasm_perf_json_string(json, "file", "host");
    wasm_perf_json_close(json, '}');
  }
  wasm_perf_json_close(json, ']');
  wasm_perf_json_close(json, '}');
}

static void write_events(speedscope_report *report, wasm_perf_json_spans *spans) {
  wasm_perf_json *json = &report->json;
  wasm_perf_json_open(json, "events", '[');
  while (wasm_perf_json_spans_next(spans) && !wasm_perf_json_failed(json)) {
    wasm_perf_json_open(json, NULL, '{');
    wasm_perf_json_string(json, "type", spans->is_open ? "O" : "C");
    wasm_perf_json_integer(json, "frame", report->tree->nodes[spans->node].label);
    wasm_perf_json_integer(json, "at", spans->position);
    wasm_perf_json_close(json, '}');
  }
  wasm_perf_json_close(json, ']');
}

static void write_profile(speedscope_report *report, const char *name, bool counts_calls) {
  wasm_perf_json *json = &report->json;
  bool is_time = !counts_calls && report->unit == WASM_PERF_UNIT_NANOSECONDS;
  wasm_perf_json_spans spans;
  wasm_perf_json_spans_init(&spans, report->tree, counts_calls);
  wasm_perf_json_open(json, NULL, '{');
  wasm_perf_json_string(json, "type", "evented");
  wasm_perf_json_string(json, "name", name);
  wasm_perf_json_string(json, "unit", is_time ? "nanoseconds" : "none");
  wasm_perf_json_integer(json, "startValue", 0);
  write_events(report, &spans);
  wasm_perf_json_integer(json, "endValue", spans.position);
  wasm_perf_json_close(json, '}');
}

static void write_profiles(speedscope_report *report) {
  wasm_perf_json *json = &report->json;
  wasm_perf_json_open(json, "profiles", '[');
  if (report->unit == WASM_PERF_UNIT_NANOSECONDS)
    write_profile(report, "time", false);
  else if (report->unit != WASM_PERF_UNIT_CALLS)
    write_profile(report, wasm_perf_json_unit(report->unit), false);
  write_profile(report, "calls", true);
  wasm_perf_json_close(json, ']');
}

static bool write_report(speedscope_report *report) {
  wasm_perf_json *json = &report->json;
  wasm_perf_json_open(json, NULL, '{');
  wasm_perf_json_string(json, "$schema", SCHEMA);
  wasm_perf_json_string(json, "exporter", WASM_PERF_JSON_EXPORTER);
  wasm_perf_json_string(json, "name", report->title);
  wasm_perf_json_integer(json, "activeProfileIndex", 0);
  write_frames(report);
  write_profiles(report);
  wasm_perf_json_close(json, '}');
  return wasm_perf_json_finish(json);
}

bool wasm_perf_speedscope_write(const wasm_perf_profile *profile,
                                const wasm_perf_report_options *options, FILE *stream) {
  wasm_perf_tree *tree = wasm_perf_tree_new(profile, WASM_PERF_NO_DEPTH_LIMIT, 0);
  if (!tree)
    return false;
  speedscope_report report = {.tree = tree,
                              .title = wasm_perf_json_title(options),
                              .unit = wasm_perf_unit_of(&profile->header)};
  wasm_perf_json_init(&report.json, stream);
  bool ok = write_report(&report);
  wasm_perf_tree_free(tree);
  return ok;
}
