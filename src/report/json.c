/* include/wasm_perf/report.schema.json describes what is written here. */
#include <stdlib.h>

#include "report/exporters.h"
#include "report/json_parts.h"
#include "report/rows.h"

#define FORMAT_VERSION 1

typedef struct json_report {
  const wasm_perf_profile *profile;
  const wasm_perf_tree *tree;
  const wasm_perf_row *rows;
  uint32_t *positions; /* of each label in `rows` */
  wasm_perf_json json;
} json_report;

static void write_head(json_report *report, const char *title) {
  wasm_perf_json *json = &report->json;
  const wasm_perf_header *header = &report->profile->header;
  wasm_perf_json_string(json, "format", "wasm-perf report");
  wasm_perf_json_integer(json, "version", FORMAT_VERSION);
  wasm_perf_json_string(json, "title", title);
  const char *clock = wasm_perf_clock_name(header->clock);
  wasm_perf_json_string(json, "clock", clock ? clock : "unknown");
  wasm_perf_json_string(json, "unit", wasm_perf_json_unit(wasm_perf_unit_of(header)));
  wasm_perf_json_integer(json, "total", report->tree->nodes[0].total);
  wasm_perf_json_integer(json, "calls", report->tree->call_count);
  wasm_perf_json_open(json, "notes", '[');
  wasm_perf_json_summary(json, report->profile, report->tree);
  wasm_perf_json_close(json, ']');
}

static void write_cautions(json_report *report) {
  wasm_perf_json *json = &report->json;
  const wasm_perf_profile *profile = report->profile;
  const wasm_perf_header *header = &profile->header;
  wasm_perf_json_integer(json, "folded_calls", header->folded_call_count);
  wasm_perf_json_integer(json, "open_frames", header->open_frame_count);
  wasm_perf_json_integer(json, "unbalanced_exits", header->unbalanced_count);
  wasm_perf_json_integer(json, "hidden_self", wasm_perf_value(header, profile->hidden_self));
  wasm_perf_json_integer(json, "hidden_calls", profile->hidden_call_count);
  wasm_perf_json_integer(json, "hook_time", wasm_perf_value(header, profile->hook_time));
}

static void write_functions(json_report *report) {
  wasm_perf_json *json = &report->json;
  const wasm_perf_tree *tree = report->tree;
  wasm_perf_json_open(json, "functions", '[');
  for (uint32_t i = 0; i < tree->labels.count && !wasm_perf_json_failed(json); i++) {
    const wasm_perf_row *row = &report->rows[i];
    wasm_perf_json_open(json, NULL, '{');
    wasm_perf_json_string(json, "name", wasm_perf_tree_text(tree, row->label));
    wasm_perf_json_literal(json, "host",
                           wasm_perf_tree_is_host(tree, row->label) ? "true" : "false");
    wasm_perf_json_integer(json, "self", row->self);
    wasm_perf_json_integer(json, "total", row->total);
    wasm_perf_json_integer(json, "calls", row->call_count);
    wasm_perf_json_close(json, '}');
  }
  wasm_perf_json_close(json, ']');
}

static void write_parent(json_report *report, const wasm_perf_tree_node *node) {
  if (node->parent == 0)
    wasm_perf_json_literal(&report->json, NULL, "null");
  else
    wasm_perf_json_integer(&report->json, NULL, node->parent - 1); /* the root has no place */
}

static void write_function(json_report *report, const wasm_perf_tree_node *node) {
  wasm_perf_json_integer(&report->json, NULL, report->positions[node->label]);
}

static void write_calls(json_report *report, const wasm_perf_tree_node *node) {
  wasm_perf_json_integer(&report->json, NULL, node->call_count);
}

static void write_self(json_report *report, const wasm_perf_tree_node *node) {
  wasm_perf_json_integer(&report->json, NULL, node->self);
}

static void write_total(json_report *report, const wasm_perf_tree_node *node) {
  wasm_perf_json_integer(&report->json, NULL, node->total);
}

static void write_column(json_report *report, const char *key,
                         void (*write)(json_report *, const wasm_perf_tree_node *)) {
  wasm_perf_json_open(&report->json, key, '[');
  for (uint32_t i = 1; i < report->tree->node_count && !wasm_perf_json_failed(&report->json); i++)
    write(report, &report->tree->nodes[i]);
  wasm_perf_json_close(&report->json, ']');
}

static bool write_report(json_report *report, const char *title) {
  for (uint32_t i = 0; i < report->tree->labels.count; i++)
    report->positions[report->rows[i].label] = i;
  wasm_perf_json *json = &report->json;
  wasm_perf_json_open(json, NULL, '{');
  write_head(report, title);
  write_cautions(report);
  write_functions(report);
  wasm_perf_json_open(json, "nodes", '{');
  write_column(report, "parent", write_parent);
  write_column(report, "function", write_function);
  write_column(report, "calls", write_calls);
  write_column(report, "self", write_self);
  write_column(report, "total", write_total);
  wasm_perf_json_close(json, '}');
  wasm_perf_json_close(json, '}');
  return wasm_perf_json_finish(json);
}

bool wasm_perf_json_write(const wasm_perf_profile *profile, const wasm_perf_report_options *options,
                          FILE *stream) {
  wasm_perf_tree *tree = wasm_perf_tree_new(profile, WASM_PERF_NO_DEPTH_LIMIT, 0);
  wasm_perf_row *rows = tree ? wasm_perf_rows_new(tree) : NULL;
  uint32_t *positions = rows ? calloc(tree->labels.count + (size_t)1, sizeof *positions) : NULL;
  bool ok = false;
  if (positions) {
    json_report report = {.profile = profile, .tree = tree, .rows = rows, .positions = positions};
    wasm_perf_json_init(&report.json, stream);
    ok = write_report(&report, wasm_perf_json_title(options));
  }
  free(positions);
  free(rows);
  wasm_perf_tree_free(tree);
  return ok;
}
