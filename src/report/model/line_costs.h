/* What lines of the source took, by the labels of a tree. */
#ifndef WI_REPORT_MODEL_LINE_COSTS_H_
#define WI_REPORT_MODEL_LINE_COSTS_H_

#include "report/model/tree.h"

typedef struct wi_line_cost {
  uint32_t label;
  wasm_perf_line line; /* its file as the profile's lines number it */
} wi_line_cost;

typedef struct wi_line_costs {
  wi_line_cost *items; /* by label, file, line and inlined function; owned */
  uint32_t count;
} wi_line_costs;

/*
 * Leaves out functions that were not called. Each line of a label is one item, with the sums over
 * the functions that share the label and, but for `by_inlined`, all places that the line was
 * inlined at. False, with nothing to clear: out of memory.
 */
bool wi_line_costs_init(wi_line_costs *costs, const wi_tree *tree, const wasm_perf_profile *profile,
                        bool by_inlined);

void wi_line_costs_clear(wi_line_costs *costs);

/* The first item of the label, NULL where there is none, and in *count how many there are. */
const wi_line_cost *wi_line_costs_find(const wi_line_costs *costs, uint32_t label, uint32_t *count);

#endif /* WI_REPORT_MODEL_LINE_COSTS_H_ */
