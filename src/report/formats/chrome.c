/*
 * Trace events, as chrome://tracing, Perfetto and Chrome's performance panel read them: a pair of B
 * and E per frame, at running sums in µs, to the nanosecond; where values are no times, 1 µs stands
 * for one, as the thread's name and "otherData" say. Calls are in "args".
 */
#include "report/encode/json_parts.h"
#include "report/formats/writers.h"

static void begin_event(wi_json *json, const char *phase, const char *name) {
  wi_json_open(json, NULL, '{');
  wi_json_string(json, "ph", phase);
  wi_json_literal(json, "pid", "1");
  wi_json_literal(json, "tid", "1");
  wi_json_string(json, "name", name);
}

static void write_name(wi_json *json, const char *of_what, const char *name) {
  begin_event(json, "M", of_what);
  wi_json_open(json, "args", '{');
  wi_json_string(json, "name", name);
  wi_json_close(json, '}');
  wi_json_close(json, '}');
}

static void write_event(wi_json *json, const wi_json_spans *spans, unsigned decimals) {
  const wi_tree_node *node = &spans->tree->nodes[spans->node];
  begin_event(json, spans->is_open ? "B" : "E", wi_tree_text(spans->tree, node->label));
  wi_json_decimal(json, "ts", spans->position, decimals);
  if (spans->is_open) {
    bool is_host = wi_tree_is_host(spans->tree, node->label);
    wi_json_string(json, "cat", is_host ? "host" : "wasm");
    wi_json_open(json, "args", '{');
    if (wi_tree_is_counted(spans->tree, node->label))
      wi_json_integer(json, "calls", node->call_count);
    wi_json_close(json, '}');
  }
  wi_json_close(json, '}');
}

static void write_events(wi_json *json, const wi_report *report) {
  const char *scale = wi_json_scale(report->unit);
  wi_json_spans spans;
  wi_json_spans_init(&spans, report->tree, false);
  wi_json_open(json, "traceEvents", '[');
  write_name(json, "process_name", report->title);
  write_name(json, "thread_name", scale ? scale : "time");
  while (wi_json_spans_next(&spans) && !wi_json_failed(json))
    write_event(json, &spans, wi_json_decimals(report->unit));
  wi_json_close(json, ']');
}

static void write_metadata(wi_json *json, const wi_report *report) {
  const char *scale = wi_json_scale(report->unit);
  wi_json_string(json, "displayTimeUnit", "ns");
  wi_json_open(json, "otherData", '{');
  wi_json_string(json, "exporter", WI_JSON_PROGRAM);
  wi_json_string(json, "unit", wi_unit_name(report->unit));
  if (scale)
    wi_json_string(json, "scale", scale);
  wi_json_summary(json, "notes", &report->summary);
  wi_json_close(json, '}');
}

bool wi_chrome_write(const wi_report *report, FILE *stream) {
  wi_json json;
  wi_json_init(&json, stream);
  wi_json_open(&json, NULL, '{');
  write_metadata(&json, report);
  write_events(&json, report);
  wi_json_close(&json, '}');
  return wi_json_finish(&json);
}
