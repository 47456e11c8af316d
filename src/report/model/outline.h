/*
 * The part of a call tree that is worth showing: the tree itself, or the callers or callees of a
 * function. Only the nodes shown are computed. So even an inverted tree, which is as large as all
 * stacks together, needs memory proportional to the tree and the lines shown.
 */
#ifndef WI_REPORT_MODEL_OUTLINE_H_
#define WI_REPORT_MODEL_OUTLINE_H_

#include <stdbool.h>
#include <stdint.h>

#include "report/model/report.h"
#include "support/array.h"

#define WI_OUTLINE_NO_LABEL 0xFFFFFFFFu /* the host, which calls the outermost frames */

typedef struct wi_outline_node {
  uint32_t label; /* of the tree, or WI_OUTLINE_NO_LABEL */
  uint32_t parent;
  uint32_t depth; /* 0 in the root */
  uint32_t first_child;
  uint32_t child_count; /* largest first; 0 in a node that is not shown */
  uint32_t frame_count; /* the most recursive frames of one stack that it stands for: 1 without
                           recursion */
  uint64_t call_count;
  uint64_t self; /* in the tree's unit */
  uint64_t total;
  bool is_shown;
  bool is_uncounted;    /* call_count is incomplete */
  bool is_shared;       /* call_count may include calls on other stacks */
  uint32_t first_entry; /* private to the builder: the node's range of entries, or folded node */
  uint32_t entry_count;
} wi_outline_node;

typedef enum wi_outline_kind {
  WI_OUTLINE_TREE, /* the root is the host, without a self value */
  WI_OUTLINE_CALLERS,
  WI_OUTLINE_CALLEES, /* the root is the function */
} wi_outline_kind;

typedef struct wi_outline {
  WI_ARRAY(wi_outline_node, nodes); /* node 0 is the root; parents precede children */
  uint32_t shown_count;             /* excludes the root */
  bool hides_small;                 /* something is hidden for this reason */
  bool hides_deep;
  bool hides_rest; /* beyond options.row_limit */
} wi_outline;

/*
 * Makes an outline of one kind. `function` is the label for callers and callees. In the tree and for
 * callees, recursion is folded (report/model/fold.h). For callers, directly recursive frames of a
 * function are one node, with the sum of their self and calls, and the total of the outermost. The
 * nodes with the largest total (then self, then calls) are shown, within the limits
 * of report->options, where the only child of a node does not count as a row; nothing is shown below a hidden node. The limit on shares applies to the
 * total; for callees that return to the function, to the largest share of total, self and calls.
 * wasm_perf/report.h defines the values. The report must have whole stacks. Returns NULL if memory
 * ran out.
 */
wi_outline *wi_outline_new(const wi_report *report, wi_outline_kind kind, uint32_t function);

/*
 * Whether hidden nodes with this `total` together deserve a line: the limit on shares is the same
 * as for a single node.
 */
bool wi_outline_shows_rest(const wi_outline *outline, const wi_report *report, uint64_t total);

void wi_outline_free(wi_outline *outline); /* may be NULL */

#endif /* WI_REPORT_MODEL_OUTLINE_H_ */
