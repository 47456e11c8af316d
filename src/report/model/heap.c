#include "report/model/heap.h"

#include <stdlib.h>

#include "profile/measures.h"

static uint64_t *sums_of(wi_heap *heap, uint32_t node) {
  if (heap->indices[node] == 0)
    heap->indices[node] = ++heap->count;
  return heap->sums[heap->indices[node]];
}

static void add_row(wi_heap *heap, const wasm_perf_profile *profile, const wi_tree *tree,
                    const wasm_perf_row *row) {
  for (wasm_perf_measure i = 0; i < WASM_PERF_MEASURE_COUNT; i++) {
    if (row->values[i] == 0)
      continue;
    uint32_t owner = tree->nodes_of[wi_measure_owner(profile, row->node, i)];
    uint64_t *sum = &sums_of(heap, owner)[i];
    *sum = wi_measure_add(profile, *sum, row->values[i]);
  }
}

bool wi_heap_init(wi_heap *heap, const wasm_perf_profile *profile, const wi_tree *tree) {
  *heap = (wi_heap){0};
  if (!tree->nodes_of)
    return true;
  heap->indices = calloc(tree->node_count, sizeof *heap->indices);
  /* A row may add to two nodes: the allocator's and its caller's. */
  heap->sums = calloc(2 * (size_t)profile->row_count + 1, sizeof *heap->sums);
  if (!heap->indices || !heap->sums) {
    wi_heap_clear(heap);
    return false;
  }
  for (uint32_t i = 0; i < profile->row_count; i++)
    add_row(heap, profile, tree, &profile->rows[i]);
  return true;
}

void wi_heap_clear(wi_heap *heap) {
  free(heap->indices);
  free(heap->sums);
  *heap = (wi_heap){0};
}

const uint64_t *wi_heap_values(const wi_heap *heap, uint32_t node) {
  return heap->indices && heap->indices[node] != 0 ? heap->sums[heap->indices[node]] : NULL;
}
