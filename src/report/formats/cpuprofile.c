/*
 * V8's .cpuprofile: one sample per frame with a self value, as long as that value, in µs, to the
 * nanosecond (the protocol declares integers, but V8's own readers accept any number). If values
 * are not times, 1 µs stands for one. The format has no call counts, so stacks without a value are
 * left out: an exact call tree with sampled times has far more stacks than samples.
 */
#include <string.h>

#include "report/encode/json_parts.h"
#include "report/formats/writers.h"

/* An id is a node's index plus 1, because V8's ids begin at 1. */
static void write_id(wi_json *json, const char *key, uint32_t node) {
  wi_json_integer(json, key, node + UINT64_C(1));
}

/* Writes a file's path as a URL that readers can open, with unsafe characters escaped (%20). */
static void write_url(wi_json *json, const char *file) {
  char url[3 * WI_LABEL_MAX_SIZE + sizeof "file://"];
  size_t size = file[0] == '/' ? (size_t)sprintf(url, "file://") : 0;
  for (; *file; file++) {
    if (strchr(" %?#", *file))
      size += (size_t)sprintf(url + size, "%%%02X", (unsigned char)*file);
    else
      url[size++] = *file;
  }
  url[size] = '\0';
  wi_json_string(json, "url", url);
}

/* V8 counts lines from 0 and uses -1 for unknown ones. `file` may be NULL. */
static void write_place(wi_json *json, const char *file, uint32_t line, bool is_guest) {
  if (file)
    write_url(json, file);
  else
    wi_json_string(json, "url", is_guest ? "wasm://wasm" : "");
  if (file && line > 0)
    wi_json_integer(json, "lineNumber", line - 1);
  else
    wi_json_literal(json, "lineNumber", "-1");
  wi_json_literal(json, "columnNumber", "-1");
}

static void write_call_frame(wi_json *json, const wi_tree *tree, uint32_t index) {
  uint32_t label = tree->nodes[index].label, line = 0;
  bool is_root = index == 0;
  const char *file = is_root ? NULL : wi_tree_file(tree, label, &line);
  wi_json_open(json, "callFrame", '{');
  wi_json_string(json, "functionName", is_root ? "(root)" : wi_tree_text(tree, label));
  wi_json_string(json, "scriptId", "0");
  write_place(json, file, line, !is_root && !wi_tree_is_host(tree, label));
  wi_json_close(json, '}');
}

/* Values of a difference may cancel out. */
static bool is_written(const wi_report *report, uint32_t node) {
  return node == 0 || report->tree->nodes[node].total > 0 || report->profile->is_difference;
}

static void write_node(wi_json *json, const wi_report *report, uint32_t index) {
  const wi_tree *tree = report->tree;
  const wi_tree_node *node = &tree->nodes[index];
  wi_json_open(json, NULL, '{');
  write_id(json, "id", index);
  write_call_frame(json, tree, index);
  wi_json_integer(json, "hitCount", index == 0 || node->self > 0);
  wi_json_open(json, "children", '[');
  for (uint32_t i = node->first_child; i < node->first_child + node->child_count; i++)
    if (is_written(report, i))
      write_id(json, NULL, i);
  wi_json_close(json, ']');
  wi_json_close(json, '}');
}

static void write_nodes(wi_json *json, const wi_report *report) {
  wi_json_open(json, "nodes", '[');
  for (uint32_t i = 0; i < report->tree->node_count && !wi_json_failed(json); i++)
    if (is_written(report, i))
      write_node(json, report, i);
  wi_json_close(json, ']');
}

/* The next node in preorder with a self value; 0 after the last. */
static uint32_t next_with_time(const wi_tree *tree, uint32_t node) {
  do
    node = wi_tree_next(tree, node);
  while (node != 0 && tree->nodes[node].self == 0);
  return node;
}

/*
 * A sample lasts until the next one. So each delta is one position after the sample that it
 * measures, and a final sample of the root ends the last one.
 */
static void write_samples(wi_json *json, const wi_tree *tree, unsigned decimals) {
  wi_json_open(json, "samples", '[');
  for (uint32_t i = next_with_time(tree, 0); i != 0; i = next_with_time(tree, i))
    write_id(json, NULL, i);
  write_id(json, NULL, 0);
  wi_json_close(json, ']');
  wi_json_open(json, "timeDeltas", '[');
  wi_json_integer(json, NULL, 0);
  for (uint32_t i = next_with_time(tree, 0); i != 0; i = next_with_time(tree, i))
    wi_json_decimal(json, NULL, tree->nodes[i].self, decimals);
  wi_json_close(json, ']');
}

bool wi_cpuprofile_write(const wi_report *report, FILE *stream) {
  const wi_tree *tree = report->tree;
  unsigned decimals = wi_json_decimals(report->unit);
  wi_json json;
  wi_json_init(&json, stream);
  wi_json_open(&json, NULL, '{');
  write_nodes(&json, report);
  wi_json_integer(&json, "startTime", 0);
  wi_json_decimal(&json, "endTime", tree->nodes[0].total, decimals);
  write_samples(&json, tree, decimals);
  wi_json_close(&json, '}');
  return wi_json_finish(&json);
}
