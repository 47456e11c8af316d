/* What functions that were inlined took of each function. */
#ifndef WI_REPORT_MODEL_INLINED_COSTS_H_
#define WI_REPORT_MODEL_INLINED_COSTS_H_

#include "report/model/tree.h"

/* What a function took by itself of the label that it was inlined into. */
typedef struct wi_inlined_cost {
  uint32_t label;
  uint32_t inlined; /* index in profile->lines.inlined, of its name and place */
  uint64_t instruction_count;
} wi_inlined_cost;

typedef struct wi_inlined_costs {
  wi_inlined_cost *items; /* by label, what took most first; owned */
  uint32_t count;
} wi_inlined_costs;

/* Leaves out functions that were not called. False, with nothing to clear: out of memory. */
bool wi_inlined_costs_init(wi_inlined_costs *costs, const wi_tree *tree,
                           const wasm_perf_profile *profile);

void wi_inlined_costs_clear(wi_inlined_costs *costs);

/* The first item of the label, NULL where there is none, and in *count how many there are. */
const wi_inlined_cost *wi_inlined_costs_find(const wi_inlined_costs *costs, uint32_t label,
                                             uint32_t *count);

#endif /* WI_REPORT_MODEL_INLINED_COSTS_H_ */
