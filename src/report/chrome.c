#include "report/exporters.h"
#include "report/json_parts.h"

static void begin_event(wasm_perf_json *json, const char *phase, const char *name) {
  wasm_perf_json_open(json, NULL, '{');
  wasm_perf_json_string(json, "ph", phase);
  wasm_perf_json_literal(json, "pid", "1");
  wasm_perf_json_literal(json, "tid", "1");
  wasm_perf_json_string(json, "name", name);
}

static void write_name(wasm_perf_json *json, const char *of_what, const char *name) {
  begin_event(json, "M", of_what);
  wasm_perf_json_open(json, "args", '{');
  wasm_perf_json_string(json, "name", name);
  wasm_perf_json_close(json, '}');
  wasm_perf_json_close(json, '}');
}

static void write_event(wasm_perf_json *json, const wasm_perf_json_spans *spans,
                        unsigned decimals) {
  const wasm_perf_tree_node *node = &spans->tree->nodes[spans->node];
  begin_event(json, spans->is_open ? "B" : "E", wasm_perf_tree_text(spans->tree, node->label));
  wasm_perf_json_decimal(json, "ts", spans->position, decimals);
  if (spans->is_open) {
    bool is_host = wasm_perf_tree_is_host(spans->tree, node->label);
    wasm_perf_json_string(json, "cat", is_host ? "host" : "wasm");
    wasm_perf_json_open(json, "args", '{');
    wasm_perf_json_integer(json, "calls", node->call_count);
    wasm_perf_json_close(json, '}');
  }
  wasm_perf_json_close(json, '}');
}

static void write_events(wasm_perf_json *json, const wasm_perf_tree *tree, wasm_perf_unit unit,
                         const char *title) {
  const char *scale = wasm_perf_json_scale(unit);
  wasm_perf_json_spans spans;
  wasm_perf_json_spans_init(&spans, tree, false);
  wasm_perf_json_open(json, "traceEvents", '[');
  write_name(json, "process_name", title);
  write_name(json, "thread_name", scale ? scale : "time");
  while (wasm_perf_json_spans_next(&spans) && !wasm_perf_json_failed(json))
    write_event(json, &spans, wasm_perf_json_decimals(unit));
  wasm_perf_json_close(json, ']');
}

static void write_metadata(wasm_perf_json *json, const wasm_perf_profile *profile,
                           const wasm_perf_tree *tree) {
  wasm_perf_unit unit = wasm_perf_unit_of(&profile->header);
  const char *scale = wasm_perf_json_scale(unit);
  wasm_perf_json_string(json, "displayTimeUnit", "ns");
  wasm_perf_json_open(json, "otherData", '{');
  wasm_perf_json_string(json, "exporter", WASM_PERF_JSON_EXPORTER);
  wasm_perf_json_string(json, "unit", wasm_perf_json_unit(unit));
  if (scale)
    wasm_perf_json_string(json, "scale", scale);
  wasm_perf_json_open(json, "notes", '[');
  wasm_perf_json_summary(json, profile, tree);
  wasm_perf_json_close(json, ']');
  wasm_perf_json_close(json, '}');
}

bool wasm_perf_chrome_write(const wasm_perf_profile *profile,
                            const wasm_perf_report_options *options, FILE *stream) {
  wasm_perf_tree *tree = wasm_perf_tree_new(profile, WASM_PERF_NO_DEPTH_LIMIT, 0);
  if (!tree)
    return false;
  wasm_perf_json json;
  wasm_perf_json_init(&json, stream);
  wasm_perf_json_open(&json, NULL, '{');
  write_metadata(&json, profile, tree);
  write_events(&json, tree, wasm_perf_unit_of(&profile->header), wasm_perf_json_title(options));
  wasm_perf_json_close(&json, '}');
  wasm_perf_tree_free(tree);
  return wasm_perf_json_finish(&json);
}
