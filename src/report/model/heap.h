/* The memory measures (wasm_perf/format.h) of a tree's nodes. */
#ifndef WI_REPORT_MODEL_HEAP_H_
#define WI_REPORT_MODEL_HEAP_H_

#include "report/model/tree.h"

typedef struct wi_heap {
  uint32_t *indices; /* per tree node: index of its sums, or 0; NULL: no node has any */
  uint64_t (*sums)[WASM_PERF_MEASURE_COUNT]; /* sums[0] is all zero */
  uint32_t count;
} wi_heap;

/*
 * The measures of a profile for its tree; empty if the profile does not follow memory. Returns
 * false if memory ran out.
 */
bool wi_heap_init(wi_heap *heap, const wasm_perf_profile *profile, const wi_tree *tree);
void wi_heap_clear(wi_heap *heap);

/* The measures of a node, in order; NULL if it has none. */
const uint64_t *wi_heap_values(const wi_heap *heap, uint32_t node);

#endif /* WI_REPORT_MODEL_HEAP_H_ */
