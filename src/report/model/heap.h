/* What the nodes of a tree have of memory: the measures of wasm_perf/format.h. */
#ifndef WI_REPORT_MODEL_HEAP_H_
#define WI_REPORT_MODEL_HEAP_H_

#include "report/model/tree.h"

typedef struct wi_heap {
  uint32_t *indices; /* per tree node: of its sums, 0 where it has nothing; NULL: nobody has */
  uint64_t (*sums)[WASM_PERF_MEASURE_COUNT]; /* those of index 0 are zeros */
  uint32_t count;
} wi_heap;

/* Of a profile and its tree; empty where it does not follow memory. False: out of memory. */
bool wi_heap_init(wi_heap *heap, const wasm_perf_profile *profile, const wi_tree *tree);
void wi_heap_clear(wi_heap *heap);

/* The measures of a node, in their order; NULL where it has none. */
const uint64_t *wi_heap_values(const wi_heap *heap, uint32_t node);

#endif /* WI_REPORT_MODEL_HEAP_H_ */
