/*
 * speedscope's format: events at running sums, which saturate at 2^64 - 1. One profile of the
 * clock's values, and one of calls; without a clock only the latter. Numbers are exact, but
 * speedscope itself rounds those above 2^53 (104 days in nanoseconds).
 */
#include "report/encode/json_parts.h"
#include "report/formats/writers.h"

#define SCHEMA "https://www.speedscope.app/file-format-schema.json"

typedef struct speedscope_writer {
  const wi_report *report;
  wi_json json;
} speedscope_writer;

static void write_frames(speedscope_writer *writer) {
  wi_json *json = &writer->json;
  const wi_tree *tree = writer->report->tree;
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

static void write_events(speedscope_writer *writer, wi_json_spans *spans) {
  wi_json *json = &writer->json;
  wi_json_open(json, "events", '[');
  while (wi_json_spans_next(spans) && !wi_json_failed(json)) {
    wi_json_open(json, NULL, '{');
    wi_json_string(json, "type", spans->is_open ? "O" : "C");
    wi_json_integer(json, "frame", writer->report->tree->nodes[spans->node].label);
    wi_json_integer(json, "at", spans->position);
    wi_json_close(json, '}');
  }
  wi_json_close(json, ']');
}

/* The units that speedscope's schema defines. */
static const char *unit_of(wi_unit unit) {
  return unit == WI_UNIT_NANOSECONDS || unit == WI_UNIT_BYTES ? wi_unit_name(unit) : "none";
}

static void write_profile(speedscope_writer *writer, const char *name, bool counts_calls) {
  wi_json *json = &writer->json;
  wi_json_spans spans;
  wi_json_spans_init(&spans, writer->report->tree, counts_calls);
  wi_json_open(json, NULL, '{');
  wi_json_string(json, "type", "evented");
  wi_json_string(json, "name", name);
  wi_json_string(json, "unit", counts_calls ? "none" : unit_of(writer->report->unit));
  wi_json_integer(json, "startValue", 0);
  write_events(writer, &spans);
  wi_json_integer(json, "endValue", spans.position);
  wi_json_close(json, '}');
}

static void write_profiles(speedscope_writer *writer) {
  wi_json *json = &writer->json;
  wi_json_open(json, "profiles", '[');
  if (writer->report->unit == WI_UNIT_NANOSECONDS)
    write_profile(writer, "time (stacks merged, not in order of time)", false);
  else if (writer->report->unit != WI_UNIT_CALLS)
    write_profile(writer, wi_unit_name(writer->report->unit), false);
  write_profile(writer, "calls", true);
  wi_json_close(json, ']');
}

bool wi_speedscope_write(const wi_report *report, FILE *stream) {
  speedscope_writer writer = {.report = report};
  wi_json *json = &writer.json;
  wi_json_init(json, stream);
  wi_json_open(json, NULL, '{');
  wi_json_string(json, "$schema", SCHEMA);
  wi_json_string(json, "exporter", WI_JSON_PROGRAM);
  wi_json_string(json, "name", report->title);
  wi_json_integer(json, "activeProfileIndex", 0);
  write_frames(&writer);
  write_profiles(&writer);
  wi_json_close(json, '}');
  return wi_json_finish(json);
}
