/*
 * All data of a report, for programs: wasm_perf/report.schema.json. Integers are written exactly,
 * up to 2^64 - 1.
 */
#include <stdio.h>
#include <stdlib.h>

#include "report/encode/json_parts.h"
#include "report/formats/writers.h"
#include "report/model/call_sum.h"
#include "report/model/function_stats.h"
#include "report/model/inlined_costs.h"
#include "report/model/size_classes.h"

#define FORMAT_VERSION 1

typedef struct json_writer {
  const wi_report *report;
  const wi_tree *tree; /* borrowed from the report */
  const wi_function_stats *rows;
  uint32_t *positions; /* per label: its index in `rows` */
  wi_inlined_costs inlined;
  wi_call_summer calls;
  wi_json json;
} json_writer;

static void write_head(json_writer *writer) {
  wi_json *json = &writer->json;
  wi_json_string(json, "format", "wasm-perf report");
  wi_json_integer(json, "version", FORMAT_VERSION);
  wi_json_string(json, "title", writer->report->title);
  const wi_view *view = &writer->report->tree->view;
  const char *clock = wasm_perf_clock_name(view->clock);
  wi_json_string(json, "clock", clock ? clock : "unknown");
  wi_json_string(json, "unit", wi_unit_name(writer->report->unit));
  if (wi_view_has_measure(view, NULL))
    wi_json_string(json, "value", wi_view_name(view));
  wi_json_integer(json, "total", writer->tree->nodes[0].total);
  wi_json_integer(json, "calls", writer->tree->call_count);
  wi_json_numbers(json, "summary", &writer->report->summary);
  wi_json_summary(json, "notes", &writer->report->summary);
}

static void write_cautions(json_writer *writer) {
  wi_json *json = &writer->json;
  const wasm_perf_profile *profile = writer->report->profile;
  const wasm_perf_header *header = &profile->header;
  wi_json_integer(json, "truncated_calls", header->truncated_call_count);
  wi_json_integer(json, "open_frames", header->open_frame_count);
  wi_json_integer(json, "unbalanced_exits", header->unbalanced_count);
  wi_json_integer(json, "hidden_self", wi_view_hidden(&writer->tree->view, WASM_PERF_KIND_IMPORT));
  wi_json_integer(json, "hidden_calls", profile->hidden_call_count);
  wi_json_integer(json, "hook_time", wi_view_hook_time(&writer->tree->view));
}

static void write_sizes(json_writer *writer) {
  wi_json *json = &writer->json;
  wi_size_class classes[WASM_PERF_SIZE_CLASSES];
  unsigned count = wi_size_classes(writer->report->profile, classes);
  wi_json_open(json, "sizes", '[');
  for (unsigned i = 0; i < count; i++) {
    wi_json_open(json, NULL, '{');
    wi_json_integer(json, "first", classes[i].first);
    wi_json_integer(json, "last", classes[i].last);
    wi_json_integer(json, "allocated", classes[i].count);
    wi_json_close(json, '}');
  }
  wi_json_close(json, ']');
}

static void write_time_line(json_writer *writer) {
  wi_json *json = &writer->json;
  const wasm_perf_profile *profile = writer->report->profile;
  wi_json_open(json, "timeline", '[');
  for (uint32_t i = 0; i < profile->moment_count && !wi_json_failed(json); i++) {
    wi_json_open(json, NULL, '{');
    wi_json_integer(json, "allocations", profile->moments[i].allocation_count);
    wi_json_integer(json, "bytes", profile->moments[i].byte_count);
    wi_json_close(json, '}');
  }
  wi_json_close(json, ']');
}

static void write_memory(json_writer *writer) {
  wi_json *json = &writer->json;
  const wasm_perf_profile *profile = writer->report->profile;
  if (!profile->follows_memory)
    return;
  wi_json_open(json, "memory", '{');
  wi_json_integer(json, "allocations", profile->facts.allocation_count);
  wi_json_integer(json, "lost_blocks", profile->facts.lost_block_count);
  wi_json_integer(json, "lost_bytes", profile->facts.lost_byte_count);
  wi_json_integer(json, "unknown_frees", profile->facts.unknown_free_count);
  write_sizes(writer);
  write_time_line(writer);
  wi_json_close(json, '}');
}

static void write_inlined(json_writer *writer, uint32_t label) {
  wi_json *json = &writer->json;
  const wasm_perf_lines *lines = &writer->report->profile->lines;
  uint32_t count;
  const wi_inlined_cost *costs = wi_inlined_costs_find(&writer->inlined, label, &count);
  if (count == 0)
    return;
  wi_json_open(json, "inlined", '[');
  for (uint32_t i = 0; i < count && !wi_json_failed(json); i++) {
    const wasm_perf_inlined *inlined = &lines->inlined[costs[i].inlined];
    char text[WI_LABEL_MAX_SIZE + 1];
    wi_json_open(json, NULL, '{');
    wi_label_clean(text, inlined->name, 0);
    wi_json_string(json, "name", text);
    wi_json_integer(json, "instructions", costs[i].instruction_count);
    if (inlined->file != WASM_PERF_NO_FILE) {
      wi_label_clean(text, lines->files[inlined->file], 0);
      wi_json_string(json, "file", text);
      if (inlined->line > 0)
        wi_json_integer(json, "line", inlined->line);
    }
    wi_json_close(json, '}');
  }
  wi_json_close(json, ']');
}

/* The confidence in a name from another build, from 0 to 1. */
static void write_confidence(json_writer *writer, uint32_t label) {
  uint32_t thousandths = wi_tree_confidence(writer->tree, label);
  char text[16];
  snprintf(text, sizeof text, "%u.%03u", thousandths / 1000, thousandths % 1000);
  if (thousandths > 0)
    wi_json_literal(&writer->json, "confidence", text);
}

static void write_call_count(wi_json *json, const char *key, uint64_t count, bool is_counted) {
  if (is_counted)
    wi_json_integer(json, key, count);
  else
    wi_json_literal(json, key, "null");
}

static void write_functions(json_writer *writer) {
  wi_json *json = &writer->json;
  const wi_tree *tree = writer->tree;
  wi_json_open(json, "functions", '[');
  for (uint32_t i = 0; i < tree->labels.count && !wi_json_failed(json); i++) {
    const wi_function_stats *row = &writer->rows[i];
    wi_json_open(json, NULL, '{');
    wi_json_string(json, "name", wi_tree_text(tree, row->label));
    write_confidence(writer, row->label);
    wi_json_literal(json, "host", wi_tree_is_host(tree, row->label) ? "true" : "false");
    wi_json_integer(json, "self", row->self);
    wi_json_integer(json, "total", row->total);
    write_call_count(json, "calls", row->call_count, !row->is_uncounted);
    uint32_t line;
    const char *file = wi_tree_file(tree, row->label, &line);
    if (file) {
      wi_json_string(json, "file", file);
      if (line > 0)
        wi_json_integer(json, "line", line);
    }
    write_inlined(writer, row->label);
    wi_json_close(json, '}');
  }
  wi_json_close(json, ']');
}

static void write_parent(json_writer *writer, const wi_tree_node *node) {
  if (node->parent == 0)
    wi_json_literal(&writer->json, NULL, "null");
  else
    wi_json_integer(&writer->json, NULL, node->parent - 1); /* the root is not in the list */
}

static void write_function(json_writer *writer, const wi_tree_node *node) {
  wi_json_integer(&writer->json, NULL, writer->positions[node->label]);
}

static void write_calls(json_writer *writer, const wi_tree_node *node) {
  write_call_count(&writer->json, NULL, node->call_count,
                   wi_tree_is_counted(writer->tree, node->label));
}

static void write_self(json_writer *writer, const wi_tree_node *node) {
  wi_json_integer(&writer->json, NULL, node->self);
}

static void write_total(json_writer *writer, const wi_tree_node *node) {
  wi_json_integer(&writer->json, NULL, node->total);
}

/* Calls of all stacks that share them with the node. */
static void write_shared_calls(json_writer *writer, const wi_tree_node *node) {
  wi_call_summer_add(&writer->calls, (uint32_t)(node - writer->tree->nodes));
  wi_call_sum calls = wi_call_summer_end(&writer->calls);
  write_call_count(&writer->json, NULL, calls.call_count, calls.is_at_most || calls.is_open);
}

static void write_column(json_writer *writer, const char *key,
                         void (*write)(json_writer *, const wi_tree_node *)) {
  wi_json_open(&writer->json, key, '[');
  for (uint32_t i = 1; i < writer->tree->node_count && !wi_json_failed(&writer->json); i++)
    write(writer, &writer->tree->nodes[i]);
  wi_json_close(&writer->json, ']');
}

static bool write_report(json_writer *writer) {
  for (uint32_t i = 0; i < writer->tree->labels.count; i++)
    writer->positions[writer->rows[i].label] = i;
  wi_json *json = &writer->json;
  wi_json_open(json, NULL, '{');
  write_head(writer);
  write_cautions(writer);
  write_memory(writer);
  write_functions(writer);
  wi_json_open(json, "nodes", '{');
  write_column(writer, "parent", write_parent);
  write_column(writer, "function", write_function);
  write_column(writer, "calls", write_calls);
  write_column(writer, "self", write_self);
  write_column(writer, "total", write_total);
  if (writer->tree->shared_count > 0)
    write_column(writer, "shared_calls", write_shared_calls);
  wi_json_close(json, '}');
  wi_json_close(json, '}');
  return wi_json_finish(json);
}

bool wi_json_write(const wi_report *report, FILE *stream) {
  const wi_tree *tree = report->tree;
  wi_function_stats *rows = wi_function_stats_new(tree);
  uint32_t *positions = calloc(tree->labels.count + (size_t)1, sizeof *positions);
  bool ok = rows && positions;
  if (ok) {
    json_writer writer = {.report = report, .tree = tree, .rows = rows, .positions = positions};
    wi_json_init(&writer.json, stream);
    ok = wi_call_summer_init(&writer.calls, tree);
    ok = wi_inlined_costs_init(&writer.inlined, tree, report->profile) && ok &&
         write_report(&writer);
    wi_inlined_costs_clear(&writer.inlined);
    wi_call_summer_clear(&writer.calls);
  }
  free(positions);
  free(rows);
  return ok;
}
