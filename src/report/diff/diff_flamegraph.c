/*
 * The flame graph of the second profile; colours show how each frame's self value changed. Frames
 * that only occur before are not drawn, only summed up in a line.
 */
#include <stdlib.h>

#include "report/diff/change.h"
#include "report/diff/diff_pairs.h"
#include "report/diff/diff_summary.h"
#include "report/diff/diff_writers.h"
#include "report/formats/flamegraph.h"
#include "support/arithmetic.h"

#define UNCHANGED_COLOR 0xE9E9ECu
#define LEAST_STRENGTH  24u  /* for the smallest change, which must be visible */
#define MOST_STRENGTH   170u /* for the largest change */
#define FULL_LIGHT      240u

/* Context of the drawing callbacks, by nodes of the tree after. */
typedef struct diff_graph {
  const wi_diff_pairs *pairs;
  uint32_t *pair_of; /* per node of the tree after */
  wi_unit unit;
  uint64_t largest; /* change of the self value of a drawn frame */
} diff_graph;

static uint32_t change_color(const wi_tree *tree, uint32_t node, const void *user) {
  (void)tree;
  const diff_graph *graph = user;
  wasm_perf_change self = wi_diff_pairs_row(graph->pairs, graph->pair_of[node]).self;
  uint64_t size = wi_change_size(self);
  if (size == 0)
    return UNCHANGED_COLOR;
  uint64_t strength = wi_scale(size, graph->largest, MOST_STRENGTH - LEAST_STRENGTH);
  uint32_t rest = FULL_LIGHT - LEAST_STRENGTH - (uint32_t)strength;
  if (self.after > self.before)
    return FULL_LIGHT << 16 | rest << 8 | rest;
  return rest << 16 | (rest + FULL_LIGHT) / 2 << 8 | FULL_LIGHT;
}

/* total 10 ms → 12 ms, +20.00 %; self 1 ms → 3 ms, +200.00 %; 5 calls → 6 calls, +20.00 % */
static void write_changes(const wi_tree *tree, uint32_t node, const void *user, FILE *stream) {
  (void)tree;
  const diff_graph *graph = user;
  wasm_perf_diff_row row = wi_diff_pairs_row(graph->pairs, graph->pair_of[node]);
  fprintf(stream, "%stotal %s", row.is_new ? "new: " : "",
          wi_format_before_after(graph->unit, row.total).text);
  if (node == 0)
    return;
  fprintf(stream, "; self %s", wi_format_before_after(graph->unit, row.self).text);
  if (graph->unit != WI_UNIT_CALLS)
    fprintf(stream, "; %s",
            row.is_uncounted ? wi_format_calls(0, false).text
                             : wi_format_before_after(WI_UNIT_CALLS, row.call_count).text);
}

/* Adds a line about the frames that only occur before. */
static void add_only_before(wi_summary *summary, const diff_graph *graph) {
  const wi_diff_pair *pairs = graph->pairs->pairs;
  uint64_t total = 0;
  uint32_t count = 0;
  for (uint32_t i = 1; i < graph->pairs->pair_count; i++) {
    if (pairs[i].nodes[WI_DIFF_AFTER] != WI_NO_NODE)
      continue;
    count++;
    if (pairs[pairs[i].parent].nodes[WI_DIFF_AFTER] != WI_NO_NODE)
      total = wi_saturating_add(total, wi_diff_pairs_row(graph->pairs, i).total.before);
  }
  if (count > 0)
    wi_summary_add(
        summary, "Only before, so not drawn: %s with %s, %s %% of the total before.",
        wi_format_quantity(count, "frame").text, wi_format_value(graph->unit, total).text,
        wi_format_percentage(total, graph->pairs->trees[WI_DIFF_BEFORE]->nodes[0].total, 1).text);
}

static void find_pairs(diff_graph *graph) {
  graph->pair_of[0] = 0;
  for (uint32_t i = 1; i < graph->pairs->pair_count; i++) {
    uint32_t node = graph->pairs->pairs[i].nodes[WI_DIFF_AFTER];
    if (node == WI_NO_NODE)
      continue;
    uint64_t size = wi_change_size(wi_diff_pairs_row(graph->pairs, i).self);
    graph->pair_of[node] = i;
    graph->largest = size > graph->largest ? size : graph->largest;
  }
}

static bool draw(const wasm_perf_diff *diff, diff_graph *graph, FILE *stream) {
  const wi_tree *tree = graph->pairs->trees[WI_DIFF_AFTER];
  graph->pair_of = malloc(tree->node_count * sizeof *graph->pair_of);
  if (!graph->pair_of)
    return false;
  find_pairs(graph);
  wi_summary summary;
  wi_diff_summary_init(&summary, diff);
  wi_summary_add(&summary,
                 "Widths: after. Red: a frame's own value grew. Blue: it shrank. Strongest: by %s.",
                 wi_format_value(graph->unit, graph->largest).text);
  wi_summary_add_elided(&summary, tree);
  add_only_before(&summary, graph);
  if (tree->nodes[0].total == 0)
    wi_summary_add(&summary, "The profile after is empty, so there is nothing to draw.");
  wi_flamegraph_style style = {"Before and after", change_color, write_changes, graph};
  wi_flamegraph *picture = wi_flamegraph_new(tree, &summary, style);
  bool ok = picture && wi_flamegraph_write_image(picture, stream);
  wi_flamegraph_free(picture);
  free(graph->pair_of);
  return ok;
}

bool wi_diff_flamegraph_write(const wasm_perf_diff *diff, const wasm_perf_diff_options *options,
                              FILE *stream) {
  (void)options;
  wi_diff_pairs pairs;
  if (!wi_diff_pairs_init(&pairs, diff, WI_DEPTH_LIMIT, 0))
    return false;
  diff_graph graph = {.pairs = &pairs, .unit = wi_diff_unit(diff)};
  bool ok = draw(diff, &graph, stream);
  wi_diff_pairs_clear(&pairs);
  return ok;
}
