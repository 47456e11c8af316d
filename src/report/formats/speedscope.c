/*
 * speedscope's own format: events at running sums, which stay at 2^64 - 1 where they would be
 * larger. A profile of what the clock counted, one of calls; without a clock just the latter.
 * Numbers are exact; speedscope itself rounds those above 2^53, in nanoseconds 104 days.
 */
#include "report/encode/json_parts.h"
#include "report/formats/writers.h"

#define SCHEMA "https://www.speedscope.app/file-format-schema.json"

typedef struct speedscope_report {
  const wi_tree *tree;
  const char *title;
  wi_unit unit;
  wi_json json;
} speedscope_report;

static void write_frames(speedscope_report *report) {
  wi_json *json = &report->json;
  const wi_tree *tree = report->tree;
  wi_json_open(json, "shared", '{');
  wi_json_open(json, "frames", '[');
  for (uint32_t label = 0; label < tree->labels.count && !wi_json_failed(json); label++) {
    wi_json_open(json, NULL, '{');
    wi_json_string(json, "name", wi_tree_text(tree, label));
    uint32_t line;
    const char *file = wi_tree_file(tree, label, &line);
    if (file) {
      wi_json_string(json, "file", file);
      if (line > 0)
        wi_json_integer(json, "line", line);
    } else if (wi_tree_is_host(tree, label)) {
      wi_json_string(json, "file", "host");
    }
    wi_json_close(json, '}');
  }
  wi_json_close(json, ']');
  wi_json_close(json, '}');
}

static void write_events(speedscope_report *report, wi_json_spans *spans) {
  wi_json *json = &report->json;
  wi_json_open(json, "events", '[');
  while (wi_json_spans_next(spans) && !wi_json_failed(json)) {
    wi_json_open(json, NULL, '{');
    wi_json_string(json, "type", spans->is_open ? "O" : "C");
    wi_json_integer(json, "frame", report->tree->nodes[spans->node].label);
    wi_json_integer(json, "at", spans->position);
    wi_json_close(json, '}');
  }
  wi_json_close(json, ']');
}

static void write_profile(speedscope_report *report, const char *name, bool counts_calls) {
  wi_json *json = &report->json;
  bool is_time = !counts_calls && report->unit == WI_UNIT_NANOSECONDS;
  wi_json_spans spans;
  wi_json_spans_init(&spans, report->tree, counts_calls);
  wi_json_open(json, NULL, '{');
  wi_json_string(json, "type", "evented");
  wi_json_string(json, "name", name);
  wi_json_string(json, "unit", is_time ? "nanoseconds" : "none");
  wi_json_integer(json, "startValue", 0);
  write_events(report, &spans);
  wi_json_integer(json, "endValue", spans.position);
  wi_json_close(json, '}');
}

static void write_profiles(speedscope_report *report) {
  wi_json *json = &report->json;
  wi_json_open(json, "profiles", '[');
  if (report->unit == WI_UNIT_NANOSECONDS)
    write_profile(report, "time (stacks merged, not in order of time)", false);
  else if (report->unit != WI_UNIT_CALLS)
    write_profile(report, wi_json_unit(report->unit), false);
  write_profile(report, "calls", true);
  wi_json_close(json, ']');
}

static bool write_report(speedscope_report *report) {
  wi_json *json = &report->json;
  wi_json_open(json, NULL, '{');
  wi_json_string(json, "$schema", SCHEMA);
  wi_json_string(json, "exporter", WI_JSON_EXPORTER);
  wi_json_string(json, "name", report->title);
  wi_json_integer(json, "activeProfileIndex", 0);
  write_frames(report);
  write_profiles(report);
  wi_json_close(json, '}');
  return wi_json_finish(json);
}

bool wi_speedscope_write(const wasm_perf_profile *profile, const wasm_perf_report_options *options,
                         FILE *stream) {
  wi_tree *tree = wi_tree_new(profile, WI_NO_DEPTH_LIMIT, 0);
  if (!tree)
    return false;
  speedscope_report report = {
      .tree = tree, .title = wi_json_title(options), .unit = wi_unit_of(&profile->header)};
  wi_json_init(&report.json, stream);
  bool ok = write_report(&report);
  wi_tree_free(tree);
  return ok;
}
