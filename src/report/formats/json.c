/*
 * Everything that a report knows, for programs: wasm_perf/report.schema.json. Integers are written
 * exactly, up to 2^64 - 1.
 */
#include <stdlib.h>

#include "report/encode/json_parts.h"
#include "report/formats/writers.h"
#include "report/model/function_stats.h"

#define FORMAT_VERSION 1

typedef struct json_report {
  const wasm_perf_profile *profile;
  const wi_tree *tree;
  const wi_function_stats *rows;
  uint32_t *positions; /* of each label in `rows` */
  wi_json json;
} json_report;

static void write_head(json_report *report, const char *title) {
  wi_json *json = &report->json;
  const wasm_perf_header *header = &report->profile->header;
  wi_json_string(json, "format", "wasm-perf report");
  wi_json_integer(json, "version", FORMAT_VERSION);
  wi_json_string(json, "title", title);
  const char *clock = wi_profile_clock_name(header->clock);
  wi_json_string(json, "clock", clock ? clock : "unknown");
  wi_json_string(json, "unit", wi_json_unit(wi_unit_of(header)));
  wi_json_integer(json, "total", report->tree->nodes[0].total);
  wi_json_integer(json, "calls", report->tree->call_count);
  wi_json_open(json, "notes", '[');
  wi_json_summary(json, report->profile, report->tree);
  wi_json_close(json, ']');
}

static void write_cautions(json_report *report) {
  wi_json *json = &report->json;
  const wasm_perf_profile *profile = report->profile;
  const wasm_perf_header *header = &profile->header;
  wi_json_integer(json, "folded_calls", header->folded_call_count);
  wi_json_integer(json, "open_frames", header->open_frame_count);
  wi_json_integer(json, "unbalanced_exits", header->unbalanced_count);
  wi_json_integer(json, "hidden_self", wi_value(header, profile->hidden_self));
  wi_json_integer(json, "hidden_calls", profile->hidden_call_count);
  wi_json_integer(json, "hook_time", wi_value(header, profile->hook_time));
}

static void write_functions(json_report *report) {
  wi_json *json = &report->json;
  const wi_tree *tree = report->tree;
  wi_json_open(json, "functions", '[');
  for (uint32_t i = 0; i < tree->labels.count && !wi_json_failed(json); i++) {
    const wi_function_stats *row = &report->rows[i];
    wi_json_open(json, NULL, '{');
    wi_json_string(json, "name", wi_tree_text(tree, row->label));
    wi_json_literal(json, "host", wi_tree_is_host(tree, row->label) ? "true" : "false");
    wi_json_integer(json, "self", row->self);
    wi_json_integer(json, "total", row->total);
    wi_json_integer(json, "calls", row->call_count);
    uint32_t line;
    const char *file = wi_tree_file(tree, row->label, &line);
    if (file) {
      wi_json_string(json, "file", file);
      if (line > 0)
        wi_json_integer(json, "line", line);
    }
    wi_json_close(json, '}');
  }
  wi_json_close(json, ']');
}

static void write_parent(json_report *report, const wi_tree_node *node) {
  if (node->parent == 0)
    wi_json_literal(&report->json, NULL, "null");
  else
    wi_json_integer(&report->json, NULL, node->parent - 1); /* the root has no place */
}

static void write_function(json_report *report, const wi_tree_node *node) {
  wi_json_integer(&report->json, NULL, report->positions[node->label]);
}

static void write_calls(json_report *report, const wi_tree_node *node) {
  wi_json_integer(&report->json, NULL, node->call_count);
}

static void write_self(json_report *report, const wi_tree_node *node) {
  wi_json_integer(&report->json, NULL, node->self);
}

static void write_total(json_report *report, const wi_tree_node *node) {
  wi_json_integer(&report->json, NULL, node->total);
}

static void write_column(json_report *report, const char *key,
                         void (*write)(json_report *, const wi_tree_node *)) {
  wi_json_open(&report->json, key, '[');
  for (uint32_t i = 1; i < report->tree->node_count && !wi_json_failed(&report->json); i++)
    write(report, &report->tree->nodes[i]);
  wi_json_close(&report->json, ']');
}

static bool write_report(json_report *report, const char *title) {
  for (uint32_t i = 0; i < report->tree->labels.count; i++)
    report->positions[report->rows[i].label] = i;
  wi_json *json = &report->json;
  wi_json_open(json, NULL, '{');
  write_head(report, title);
  write_cautions(report);
  write_functions(report);
  wi_json_open(json, "nodes", '{');
  write_column(report, "parent", write_parent);
  write_column(report, "function", write_function);
  write_column(report, "calls", write_calls);
  write_column(report, "self", write_self);
  write_column(report, "total", write_total);
  wi_json_close(json, '}');
  wi_json_close(json, '}');
  return wi_json_finish(json);
}

bool wi_json_write(const wasm_perf_profile *profile, const wasm_perf_report_options *options,
                   FILE *stream) {
  wi_tree *tree = wi_tree_new(profile, WI_NO_DEPTH_LIMIT, 0);
  wi_function_stats *rows = tree ? wi_function_stats_new(tree) : NULL;
  uint32_t *positions = rows ? calloc(tree->labels.count + (size_t)1, sizeof *positions) : NULL;
  bool ok = false;
  if (positions) {
    json_report report = {.profile = profile, .tree = tree, .rows = rows, .positions = positions};
    wi_json_init(&report.json, stream);
    ok = write_report(&report, wi_json_title(options));
  }
  free(positions);
  free(rows);
  wi_tree_free(tree);
  return ok;
}
