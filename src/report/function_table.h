/* The functions that a report lists, in HTML or in a terminal, with their columns. */
#ifndef WASM_PERF_REPORT_FUNCTION_TABLE_H_
#define WASM_PERF_REPORT_FUNCTION_TABLE_H_

#include <stdbool.h>
#include <stdint.h>

#include "report/columns.h"
#include "report/rows.h"
#include "report/tree.h"

typedef struct wasm_perf_function_table {
  wasm_perf_tree *tree; /* owned */
  wasm_perf_row *rows;  /* owned */
  uint32_t row_count;
  uint32_t shown_count; /* of the rows, from the first one on */
  wasm_perf_columns columns;
} wasm_perf_function_table;

/*
 * Makes the table of at most `row_limit` functions, the largest first, equal ones in order of their
 * names. False, with nothing to clear: out of memory. The profile must stay until the table is
 * cleared.
 */
bool wasm_perf_function_table_init(wasm_perf_function_table *table,
                                   const wasm_perf_profile *profile, wasm_perf_sort sort,
                                   uint32_t row_limit);
void wasm_perf_function_table_clear(wasm_perf_function_table *table);

/* "30 more: 1.23 % of the total together": the functions that are not shown. */
typedef struct wasm_perf_remainder {
  char text[160];
} wasm_perf_remainder;
wasm_perf_remainder wasm_perf_remainder_of(const wasm_perf_function_table *table);

#endif /* WASM_PERF_REPORT_FUNCTION_TABLE_H_ */
