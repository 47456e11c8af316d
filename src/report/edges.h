/* Who calls whom: what a profile says of each pair of caller and callee, over all of its stacks. */
#ifndef WASM_PERF_REPORT_EDGES_H_
#define WASM_PERF_REPORT_EDGES_H_

#include <stdint.h>

#include "report/tree.h"

#define WASM_PERF_EDGE_HOST 0xFFFFFFFFu /* the caller of outermost frames */

typedef struct wasm_perf_edge {
  uint32_t caller; /* label, or WASM_PERF_EDGE_HOST */
  uint32_t callee; /* label */
  uint64_t call_count;
  uint64_t total; /* of the outermost such pair on each stack: recursion is not counted twice */
  uint64_t outer_total; /* of calls that are in no other frame of the callee: its total, divided */
} wasm_perf_edge;

/*
 * One edge for each pair that occurs, in order of caller, then callee. The tree must be without
 * elided frames. NULL: out of memory. The caller frees it.
 */
wasm_perf_edge *wasm_perf_edges_new(const wasm_perf_tree *tree, uint32_t *count);

#endif /* WASM_PERF_REPORT_EDGES_H_ */
