/*
 * Splits the self cost of each tree node over source lines. Lines are counted per function, not per
 * stack. If a function is on several stacks, each gets a share of its lines in proportion to its
 * self cost, and all shares together are exactly the counts.
 */
#ifndef WI_REPORT_MODEL_LINE_SPLIT_H_
#define WI_REPORT_MODEL_LINE_SPLIT_H_

#include "profile/division.h"
#include "report/model/line_costs.h"
#include "report/model/report.h"

typedef struct wi_line_split {
  const wi_report *report; /* borrowed */
  wi_line_costs costs;     /* by inlined function */
  wi_division *labels;     /* per label: the sum of its nodes; owned, like shares */
  wi_share *shares;        /* per item of the costs */
} wi_line_split;

/*
 * Empty if lines were not counted, or if the report does not show instructions. Returns false, with
 * nothing to clear, if memory ran out.
 */
bool wi_line_split_init(wi_line_split *split, const wi_report *report);
void wi_line_split_clear(wi_line_split *split);

/* The number of items for the label of a node. */
uint32_t wi_line_split_count(const wi_line_split *split, uint32_t node);

/*
 * Splits a node; call at most once per node. Returns the items of its label, or NULL. The node's
 * part of each is in split->shares[].last, indexed like the costs. *rest is the part without a
 * line.
 */
const wi_line_cost *wi_line_split_next(wi_line_split *split, uint32_t node, uint32_t *count,
                                       uint64_t *rest);

#endif /* WI_REPORT_MODEL_LINE_SPLIT_H_ */
