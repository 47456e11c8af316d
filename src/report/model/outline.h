/*
 * The part of a call tree that is worth a line: the tree itself, or what stands above or below one
 * function in it. Only what is shown is worked out, so that even an inverted tree, whose size is
 * that of all stacks together, takes memory in proportion to the tree and the lines.
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
  uint32_t child_count; /* the largest first; 0 in a node that is not shown */
  uint32_t frame_count; /* of the longest run of frames that it stands for: 1 without recursion */
  uint64_t call_count;
  uint64_t self; /* in the tree's unit */
  uint64_t total;
  bool is_shown;
  bool is_uncounted;    /* calls are not all, as some were not counted */
  bool is_shared;       /* calls are those of other stacks, too */
  uint32_t first_entry; /* the builder's: which of its entries are of this node */
  uint32_t entry_count;
} wi_outline_node;

typedef enum wi_outline_kind {
  WI_OUTLINE_TREE, /* the root is the host, which has no value of its own */
  WI_OUTLINE_CALLERS,
  WI_OUTLINE_CALLEES, /* the root is the function */
} wi_outline_kind;

typedef struct wi_outline {
  WI_ARRAY(wi_outline_node, nodes); /* node 0 is the root; parents before children */
  uint32_t shown_count;             /* without the root */
  bool hides_small;                 /* something is not shown for this reason */
  bool hides_deep;
  bool hides_rest; /* past options.row_limit */
} wi_outline;

/*
 * A function that calls itself directly has one node for all of these frames, with their self and
 * calls and the total of the outermost. The outline of one kind; `function` is the label that
 * callers and callees are of. Shown are the nodes of the largest total (then self, then calls)
 * within the limits of report->options; nothing below a node that is not shown is either. A share
 * is that of the total; where callees come back to the function, the largest of total, self and
 * calls. wasm_perf/report.h says what the values are. The report has whole stacks. NULL: out of
 * memory.
 */
wi_outline *wi_outline_new(const wi_report *report, wi_outline_kind kind, uint32_t function);

/*
 * Whether nodes that are not shown, `total` together, are worth a line of their own: they are by
 * the same share as single ones.
 */
bool wi_outline_shows_rest(const wi_outline *outline, const wi_report *report, uint64_t total);

void wi_outline_free(wi_outline *outline); /* NULL is allowed */

#endif /* WI_REPORT_MODEL_OUTLINE_H_ */
