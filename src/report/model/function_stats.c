#include "report/model/function_stats.h"

#include <stdlib.h>

#include "support/arithmetic.h"

/* Sums up what depends on the position of a label's nodes. `open_counts`: one zero per label. */
static void sum_by_label(const wi_tree *tree, wi_function_stats *stats, uint32_t *open_counts) {
  uint32_t last = 0;
  for (uint32_t i = wi_tree_next(tree, 0); i != 0; i = wi_tree_next(tree, i)) {
    const wi_tree_node *node = &tree->nodes[i];
    for (; tree->nodes[last].depth >= node->depth; last = tree->nodes[last].parent)
      open_counts[tree->nodes[last].label]--;
    last = i;
    wi_function_stats *function = &stats[node->label];
    if (open_counts[node->label]++ == 0)
      function->total = wi_saturating_add(function->total, node->total);
  }
}

static int compare_selves(const void *left, const void *right) {
  const wi_function_stats *a = left;
  const wi_function_stats *b = right;
  if (a->self != b->self)
    return a->self > b->self ? -1 : 1;
  return (a->label > b->label) - (a->label < b->label); /* labels are sorted by name */
}

wi_function_stats *wi_function_stats_new(const wi_tree *tree) {
  uint32_t count = tree->labels.count;
  wi_function_stats *stats = calloc(count + (size_t)1, sizeof *stats);
  uint32_t *open_counts = calloc(count + (size_t)1, sizeof *open_counts);
  if (!stats || !open_counts) {
    free(stats);
    free(open_counts);
    return NULL;
  }
  for (uint32_t i = 0; i < count; i++) {
    stats[i].label = i;
    stats[i].self = tree->sums[i].self;
    stats[i].call_count = tree->sums[i].call_count;
    stats[i].is_uncounted = !wi_tree_is_counted(tree, i);
  }
  sum_by_label(tree, stats, open_counts);
  free(open_counts);
  qsort(stats, count, sizeof *stats, compare_selves);
  return stats;
}
