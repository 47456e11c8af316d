/* The lines at which functions call others, by the labels of a tree. */
#ifndef WI_REPORT_MODEL_CALL_LINES_H_
#define WI_REPORT_MODEL_CALL_LINES_H_

#include "report/model/line_costs.h"

/* The executed calls of one callee on a line. */
typedef struct wi_call_line {
  uint32_t caller; /* label */
  uint32_t callee; /* label, or WASM_PERF_ANY_CALLEE */
  uint32_t item;   /* index of the line in the costs */
  uint64_t call_count;
} wi_call_line;

typedef struct wi_call_lines {
  wi_call_line *items; /* by caller, callee and line; owned */
  uint32_t count;
} wi_call_lines;

/* Returns false, with nothing to clear, if memory ran out. */
bool wi_call_lines_init(wi_call_lines *lines, const wi_tree *tree, const wasm_perf_profile *profile,
                        const wi_line_costs *costs);
void wi_call_lines_clear(wi_call_lines *lines);

/*
 * The lines at which `caller` calls `callee`, with their number in *count: those that call it
 * directly; if there are none, all lines with calls through tables and references. NULL: unknown.
 */
const wi_call_line *wi_call_lines_find(const wi_call_lines *lines, uint32_t caller, uint32_t callee,
                                       uint32_t *count);

/*
 * A line's part of `value`, the cost of calls that the `count` lines at `lines` made: in proportion
 * to their calls. The parts of all lines add up to the value.
 */
uint64_t wi_call_lines_part(const wi_call_line *lines, uint32_t count, uint32_t index,
                            uint64_t value);

#endif /* WI_REPORT_MODEL_CALL_LINES_H_ */
