/* Call edges: the sums of a profile for each pair of caller and callee, over all stacks. */
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
  uint64_t outer_total; /* of calls outside any other frame of the callee: adds up to the
                           callee's total */
} wi_edge;

/*
 * One edge per pair that occurs, sorted by caller, then callee. The tree must not have elided
 * frames. The caller frees the result; NULL if memory ran out.
 */
wi_edge *wi_edges_new(const wi_tree *tree, uint32_t *count);

#endif /* WI_REPORT_MODEL_EDGES_H_ */
