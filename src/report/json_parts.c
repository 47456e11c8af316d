#include "report/json_parts.h"

#include "report/summary.h"

const char *wasm_perf_json_title(const wasm_perf_report_options *options) {
  return options && options->title ? options->title : WASM_PERF_JSON_EXPORTER;
}

const char *wasm_perf_json_unit(wasm_perf_unit unit) {
  switch (unit) {
  case WASM_PERF_UNIT_NANOSECONDS: return "nanoseconds";
  case WASM_PERF_UNIT_INSTRUCTIONS: return "instructions";
  case WASM_PERF_UNIT_TICKS: return "ticks";
  case WASM_PERF_UNIT_CALLS: break;
  }
  return "calls";
}

unsigned wasm_perf_json_decimals(wasm_perf_unit unit) {
  return unit == WASM_PERF_UNIT_NANOSECONDS ? 3 : 0;
}

const char *wasm_perf_json_scale(wasm_perf_unit unit) {
  switch (unit) {
  case WASM_PERF_UNIT_NANOSECONDS: return NULL;
  case WASM_PERF_UNIT_INSTRUCTIONS: return "1 \xC2\xB5s stands for one instruction";
  case WASM_PERF_UNIT_TICKS: return "1 \xC2\xB5s stands for one tick of the clock";
  case WASM_PERF_UNIT_CALLS: break;
  }
  return "1 \xC2\xB5s stands for one call";
}

void wasm_perf_json_summary(wasm_perf_json *json, const wasm_perf_profile *profile,
                            const wasm_perf_tree *tree) {
  wasm_perf_summary summary;
  wasm_perf_summary_init(&summary, profile, tree);
  for (unsigned i = 0; i < summary.line_count; i++)
    wasm_perf_json_string(json, NULL, summary.lines[i]);
}

void wasm_perf_json_spans_init(wasm_perf_json_spans *spans, const wasm_perf_tree *tree,
                               bool counts_calls) {
  spans->tree = tree;
  spans->counts_calls = counts_calls;
  spans->is_open = true;
  spans->node = 0;
  spans->position = 0;
}

/* The root opens before the first event and closes after the last one. */
static bool go_to(wasm_perf_json_spans *spans, uint32_t node, bool is_open) {
  spans->node = node;
  spans->is_open = is_open;
  return node != 0;
}

bool wasm_perf_json_spans_next(wasm_perf_json_spans *spans) {
  const wasm_perf_tree_node *nodes = spans->tree->nodes;
  const wasm_perf_tree_node *node = &nodes[spans->node];
  if (spans->is_open) {
    spans->position =
        wasm_perf_add(spans->position, spans->counts_calls ? node->call_count : node->self);
    if (node->child_count > 0)
      return go_to(spans, node->first_child, true);
    return go_to(spans, spans->node, false);
  }
  const wasm_perf_tree_node *parent = &nodes[node->parent];
  if (spans->node + 1 < parent->first_child + parent->child_count)
    return go_to(spans, spans->node + 1, true);
  return go_to(spans, node->parent, false);
}
