/*
 * What each node of a tree took, split over lines. Lines are counted by function, not by stack: of
 * a function on several stacks each has its lines in proportion to what it took, and all of them
 * together have exactly what was counted.
 */
#ifndef WI_REPORT_MODEL_LINE_SPLIT_H_
#define WI_REPORT_MODEL_LINE_SPLIT_H_

#include "report/model/line_costs.h"
#include "report/model/report.h"

/* What the nodes of a label have so far. */
typedef struct wi_label_split {
  uint64_t whole;      /* what all of its nodes took */
  uint64_t line_sum;   /* of these, its lines; 0 where they have more than the whole */
  uint64_t reached;    /* what the nodes took that were split */
  uint64_t rest_given; /* of these, what is of no line */
} wi_label_split;

typedef struct wi_line_split {
  const wi_report *report; /* borrowed */
  wi_line_costs costs;     /* by inlined function */
  wi_label_split *labels;  /* per label; owned, and so are the next two */
  uint64_t *given;         /* per item of the costs: what the nodes split so far have of it */
  uint64_t *shares;        /* the same: what the last one has */
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
 * Splits a node, each at most once. Returns the items of its label, NULL for none; their shares are
 * in split->shares, by the index in the costs, and *rest is left for no line.
 */
const wi_line_cost *wi_line_split_next(wi_line_split *split, uint32_t node, uint32_t *count,
                                       uint64_t *rest);

#endif /* WI_REPORT_MODEL_LINE_SPLIT_H_ */
