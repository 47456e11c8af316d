#include "report/rows.h"

#include <stdlib.h>

/* Sums the tree by label. `open_counts`: one zero per label. */
static void sum_rows(const wasm_perf_tree *tree, wasm_perf_row *rows, uint32_t *open_counts) {
  uint32_t last = 0;
  for (uint32_t i = wasm_perf_tree_next(tree, 0); i != 0; i = wasm_perf_tree_next(tree, i)) {
    const wasm_perf_tree_node *node = &tree->nodes[i];
    for (; tree->nodes[last].depth >= node->depth; last = tree->nodes[last].parent)
      open_counts[tree->nodes[last].label]--;
    last = i;
    wasm_perf_row *row = &rows[node->label];
    row->self = wasm_perf_add(row->self, node->self);
    row->call_count = wasm_perf_add(row->call_count, node->call_count);
    row->hook_count = wasm_perf_add(row->hook_count, node->call_count);
    if (node->parent != 0) {
      wasm_perf_row *caller = &rows[tree->nodes[node->parent].label];
      caller->hook_count = wasm_perf_add(caller->hook_count, node->call_count);
    }
    if (open_counts[node->label]++ == 0)
      row->total = wasm_perf_add(row->total, node->total);
  }
}

static int compare_rows(const void *left, const void *right) {
  const wasm_perf_row *a = left;
  const wasm_perf_row *b = right;
  if (a->self != b->self)
    return a->self > b->self ? -1 : 1;
  return (a->label > b->label) - (a->label < b->label); /* labels are in order of names */
}

wasm_perf_row *wasm_perf_rows_new(const wasm_perf_tree *tree) {
  uint32_t count = tree->labels.count;
  wasm_perf_row *rows = calloc(count + (size_t)1, sizeof *rows);
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
