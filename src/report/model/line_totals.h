/*
 * What the lines of a function cost together with the functions that they call.
 *
 * A line's total is the cost of the stacks that it is part of, in any frame of the function; so
 * recursion counts once. Without recursion the totals of all lines, and the cost of calls whose
 * line is unknown, are exactly the function's total.
 */
#ifndef WI_REPORT_MODEL_LINE_TOTALS_H_
#define WI_REPORT_MODEL_LINE_TOTALS_H_

#include "report/model/call_lines.h"
#include "report/model/line_costs.h"
#include "report/model/report.h"

typedef struct wi_line_totals {
  uint64_t *items;    /* for each line of the function; NULL: unknown; owned */
  uint64_t unplaced;  /* the cost of calls whose line is unknown */
  uint64_t uncounted; /* self cost beyond the lines': of functions that are counted in this one */
  uint64_t function;  /* the function's total */
  bool has_callees;   /* the totals are not only the lines' own costs */
} wi_line_totals;

/*
 * Computes the totals of `count` lines of a label, from wi_line_costs_find; `calls` are of the same
 * costs. Totals are unknown if the report does not show instructions. Takes time proportional to
 * the tree. Returns false, with nothing to clear, if memory ran out.
 */
bool wi_line_totals_init(wi_line_totals *totals, const wi_report *report,
                         const wi_line_costs *costs, const wi_call_lines *calls,
                         const wi_line_cost *lines, uint32_t count);
void wi_line_totals_clear(wi_line_totals *totals);

#endif /* WI_REPORT_MODEL_LINE_TOTALS_H_ */
