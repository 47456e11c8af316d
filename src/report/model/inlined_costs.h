/* The cost of inlined functions within each function. */
#ifndef WI_REPORT_MODEL_INLINED_COSTS_H_
#define WI_REPORT_MODEL_INLINED_COSTS_H_

#include "report/model/tree.h"

/* The self cost of a function that was inlined into this label's function. */
typedef struct wi_inlined_cost {
  uint32_t label;
  uint32_t inlined; /* index in profile->lines.inlined, for its name and place */
  uint64_t instruction_count;
} wi_inlined_cost;

typedef struct wi_inlined_costs {
  wi_inlined_cost *items; /* by label, largest cost first; owned */
  uint32_t count;
} wi_inlined_costs;

/*
 * Excludes functions that were not called. Returns false, with nothing to clear, if memory ran out.
 */
bool wi_inlined_costs_init(wi_inlined_costs *costs, const wi_tree *tree,
                           const wasm_perf_profile *profile);

void wi_inlined_costs_clear(wi_inlined_costs *costs);

/* The first item of the label, with the number of items in *count; NULL if there are none. */
const wi_inlined_cost *wi_inlined_costs_find(const wi_inlined_costs *costs, uint32_t label,
                                             uint32_t *count);

#endif /* WI_REPORT_MODEL_INLINED_COSTS_H_ */
