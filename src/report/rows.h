/* What a profile says of each function, over all of its stacks. */
#ifndef WASM_PERF_REPORT_ROWS_H_
#define WASM_PERF_REPORT_ROWS_H_

#include <stdint.h>

#include "report/tree.h"

/* A function, or several of the same name. Sums are in the tree's unit. */
typedef struct wasm_perf_row {
  uint32_t label;
  uint64_t self;
  uint64_t total; /* of the outermost frame on each stack: recursion is not counted twice */
  uint64_t call_count;
  uint64_t hook_count; /* calls whose hooks cost it time: of it and by it */
} wasm_perf_row;

/*
 * One row for each of tree->labels, the largest self first, equal ones in order of their names. The
 * tree must be without elided frames. NULL: out of memory. The caller frees it.
 */
wasm_perf_row *wasm_perf_rows_new(const wasm_perf_tree *tree);

#endif /* WASM_PERF_REPORT_ROWS_H_ */
