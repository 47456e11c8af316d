#include "report/model/function_stats.h"

#include <stdlib.h>

#include "support/arithmetic.h"

/* Sums the tree by label. `open_counts`: one zero per label. */
static void sum_rows(const wi_tree *tree, wi_function_stats *rows, uint32_t *open_counts) {
  uint32_t last = 0;
  for (uint32_t i = wi_tree_next(tree, 0); i != 0; i = wi_tree_next(tree, i)) {
    const wi_tree_node *node = &tree->nodes[i];
    for (; tree->nodes[last].depth >= node->depth; last = tree->nodes[last].parent)
      open_counts[tree->nodes[last].label]--;
    last = i;
    wi_function_stats *row = &rows[node->label];
    row->self = wi_saturating_add(row->self, node->self);
    row->call_count = wi_saturating_add(row->call_count, node->call_count);
    row->hook_count = wi_saturating_add(row->hook_count, node->call_count);
    if (node->parent != 0) {
      wi_function_stats *caller = &rows[tree->nodes[node->parent].label];
      caller->hook_count = wi_saturating_add(caller->hook_count, node->call_count);
    }
    if (open_counts[node->label]++ == 0)
      row->total = wi_saturating_add(row->total, node->total);
  }
}

static int compare_rows(const void *left, const void *right) {
  const wi_function_stats *a = left;
  const wi_function_stats *b = right;
  if (a->self != b->self)
    return a->self > b->self ? -1 : 1;
  return (a->label > b->label) - (a->label < b->label); /* labels are in order of names */
}

wi_function_stats *wi_function_stats_new(const wi_tree *tree) {
  uint32_t count = tree->labels.count;
  wi_function_stats *rows = calloc(count + (size_t)1, sizeof *rows);
  uint32_t *open_counts = calloc(count + (size_t)1, sizeof *open_counts);
  if (!rows || !open_counts) {
    free(rows);
    free(open_counts);
    return NULL;
  }
  for (uint32_t i = 0; i < count; i++)
    rows[i].label = i;
  sum_rows(tree, rows, open_counts);
  free(open_counts);
  qsort(rows, count, sizeof *rows, compare_rows);
  return rows;
}
