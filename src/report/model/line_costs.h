/* The cost of source lines, by the labels of a tree. */
#ifndef WI_REPORT_MODEL_LINE_COSTS_H_
#define WI_REPORT_MODEL_LINE_COSTS_H_

#include "report/model/tree.h"

typedef struct wi_line_cost {
  uint32_t label;
  wasm_perf_line line; /* its file is an index into the profile's lines */
} wi_line_cost;

typedef struct wi_line_costs {
  wi_line_cost *items; /* by label, file, line and inlined function; owned */
  uint32_t count;
  bool by_inlined; /* as requested */
} wi_line_costs;

/*
 * Excludes functions that were not called. Each line of a label is one item. It sums the functions
 * that share the label and, unless `by_inlined`, all places at which the line was inlined. Returns
 * false, with nothing to clear, if memory ran out.
 */
bool wi_line_costs_init(wi_line_costs *costs, const wi_tree *tree, const wasm_perf_profile *profile,
                        bool by_inlined);

void wi_line_costs_clear(wi_line_costs *costs);

/* The first item of the label, with the number of items in *count; NULL if there are none. */
const wi_line_cost *wi_line_costs_find(const wi_line_costs *costs, uint32_t label, uint32_t *count);

/* The index of the item that a line of the profile is part of; UINT32_MAX: it was not called. */
uint32_t wi_line_costs_index(const wi_line_costs *costs, const wi_tree *tree,
                             const wasm_perf_line *line);

#endif /* WI_REPORT_MODEL_LINE_COSTS_H_ */
