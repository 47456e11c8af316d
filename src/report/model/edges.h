/* Who calls whom: what a profile says of each pair of caller and callee, over all of its stacks. */
#ifndef WI_REPORT_MODEL_EDGES_H_
#define WI_REPORT_MODEL_EDGES_H_

#include <stdint.h>

#include "report/model/tree.h"

#define WI_EDGE_HOST 0xFFFFFFFFu /* the caller of outermost frames */

typedef struct wi_edge {
  uint32_t caller; /* label, or WI_EDGE_HOST */
  uint32_t callee; /* label */
  uint64_t call_count;
  uint64_t total; /* of the outermost such pair on each stack: recursion is not counted twice */
  uint64_t outer_total; /* of calls that are in no other frame of the callee: its total, divided */
} wi_edge;

/*
 * One edge for each pair that occurs, in order of caller, then callee. The tree must be without
 * elided frames. NULL: out of memory. The caller frees it.
 */
wi_edge *wi_edges_new(const wi_tree *tree, uint32_t *count);

#endif /* WI_REPORT_MODEL_EDGES_H_ */
