#include "report/model/findings.h"

#include <stdio.h>
#include <stdlib.h>

#include "report/model/function_stats.h"
#include "support/arithmetic.h"

#define MAIN_PERCENT       80u /* share of the whole from which a frame counts as having most of it */
#define NEARLY_ALL_PERCENT 90u

/* Of a profile; the percentages are of this. */
typedef struct finding_source {
  const wi_tree *tree;
  const wi_function_stats *rows; /* the largest self value first */
  uint32_t row_count;
  wi_unit unit;
  uint64_t whole;
} finding_source;

static char *next_line(wi_findings *findings) {
  return findings->lines[findings->count++];
}

static const char *value_noun(wi_unit unit) {
  switch (unit) {
  case WI_UNIT_NANOSECONDS: return "the time";
  case WI_UNIT_INSTRUCTIONS: return "the instructions";
  case WI_UNIT_TICKS: return "the ticks";
  case WI_UNIT_BYTES: return "the bytes";
  case WI_UNIT_OBJECTS: return "the objects";
  case WI_UNIT_PAGES: return "the pages";
  case WI_UNIT_CALLS: break;
  }
  return "all calls";
}

/* "parse takes 54.4 % of the time by itself: 420 µs in 20 calls, 21.0 µs each." */
static void add_largest(wi_findings *findings, const finding_source *source) {
  const wi_function_stats *row = &source->rows[0];
  const char *name = wi_tree_text(source->tree, row->label);
  wi_short_text share = wi_format_percentage(row->self, source->whole, 1);
  wi_short_text calls = wi_format_quantity(row->call_count, "call");
  char *line = next_line(findings);
  size_t size = sizeof findings->lines[0];
  if (source->unit == WI_UNIT_CALLS) {
    snprintf(line, size, "%s is called most: %s, %s %% of all.", name, calls.text, share.text);
    return;
  }
  int length = snprintf(line, size, "%s takes %s %% of %s by itself: %s", name, share.text,
                        value_noun(source->unit), wi_format_value(source->unit, row->self).text);
  if (row->call_count > 1)
    snprintf(line + length, size - (size_t)length, " in %s, %s each.", calls.text,
             wi_format_mean(source->unit, row->self, row->call_count).text);
  else
    snprintf(line + length, size - (size_t)length, ".");
}

/* How many rows have nearly all of the whole together. */
static uint32_t count_most(const finding_source *source) {
  uint64_t sum = 0, wanted = wi_scale(NEARLY_ALL_PERCENT, 100, source->whole);
  uint32_t count = 0;
  while (count < source->row_count && sum < wanted)
    sum = wi_saturating_add(sum, source->rows[count++].self);
  return count;
}

/* "9 of 2,227 functions take 90 % of the time." */
static void add_concentration(wi_findings *findings, const finding_source *source) {
  uint32_t count = count_most(source);
  if (source->row_count < 3)
    return;
  snprintf(next_line(findings), sizeof findings->lines[0], "%s of %s %s %u %% of %s.",
           wi_format_count(count).text, wi_format_quantity(source->row_count, "function").text,
           count == 1 ? "takes" : "take", NEARLY_ALL_PERCENT, value_noun(source->unit));
}

/* The innermost node that has most of the whole. */
static uint32_t find_main(const finding_source *source) {
  const wi_tree_node *nodes = source->tree->nodes;
  uint32_t main = 0;
  for (uint32_t i = 1; i < source->tree->node_count; i++)
    if (nodes[i].parent == main && wi_scale(nodes[i].total, source->whole, 100) >= MAIN_PERCENT)
      main = i; /* at most one child has so much, and the tree is level by level */
  return main;
}

/* "83.4 % of the time passes through eval, 6 frames deep; there the work divides." */
static void add_main_stack(wi_findings *findings, const finding_source *source) {
  uint32_t main = find_main(source);
  const wi_tree_node *node = &source->tree->nodes[main];
  if (main == 0 || node->child_count == 0)
    return;
  snprintf(next_line(findings), sizeof findings->lines[0],
           "%s %% of %s %s through %s, %s deep; below it the work splits.",
           wi_format_percentage(node->total, source->whole, 1).text, value_noun(source->unit),
           source->unit == WI_UNIT_NANOSECONDS ? "passes" : "pass",
           wi_tree_text(source->tree, node->label), wi_format_quantity(node->depth, "frame").text);
}

bool wi_findings_init(wi_findings *findings, const wi_report *report) {
  const wi_tree *tree = report->tree;
  findings->count = 0;
  if (tree->node_count == 1 || tree->nodes[0].total == 0)
    return true;
  wi_function_stats *rows = wi_function_stats_new(tree);
  if (!rows)
    return false;
  finding_source source = {tree, rows, tree->labels.count, report->unit, tree->nodes[0].total};
  add_largest(findings, &source);
  add_concentration(findings, &source);
  add_main_stack(findings, &source);
  free(rows);
  return true;
}
