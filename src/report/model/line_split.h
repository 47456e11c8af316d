/*
 * What each node of a tree took, split over lines. Lines are counted by function, not by stack: of
 * a function on several stacks each has its lines in proportion to what it took, and all of them
 * together have exactly what was counted.
 */
#ifndef WI_REPORT_MODEL_LINE_SPLIT_H_
#define WI_REPORT_MODEL_LINE_SPLIT_H_

#include "profile/division.h"
#include "report/model/line_costs.h"
#include "report/model/report.h"

typedef struct wi_line_split {
  const wi_report *report; /* borrowed */
  wi_line_costs costs;     /* by inlined function */
  wi_division *labels;     /* per label: what its nodes took; owned, and so are the next */
  wi_share *shares;        /* per item of the costs */
} wi_line_split;

/*
 * Without lines where they were not counted or the report shows something else than instructions.
 * False, with nothing to clear: out of memory.
 */
bool wi_line_split_init(wi_line_split *split, const wi_report *report);
void wi_line_split_clear(wi_line_split *split);

/* How many items there are of the label of a node. */
uint32_t wi_line_split_count(const wi_line_split *split, uint32_t node);

/*
 * Splits a node, each at most once. Returns the items of its label, NULL for none; what the node
 * has of them is in split->shares[].last, by the index in the costs, and *rest is of no line.
 */
const wi_line_cost *wi_line_split_next(wi_line_split *split, uint32_t node, uint32_t *count,
                                       uint64_t *rest);

#endif /* WI_REPORT_MODEL_LINE_SPLIT_H_ */
