/* The functions that a report lists, in HTML or in a terminal, with their columns. */
#ifndef WI_REPORT_MODEL_FUNCTION_TABLE_H_
#define WI_REPORT_MODEL_FUNCTION_TABLE_H_

#include <stdbool.h>
#include <stdint.h>

#include "report/model/columns.h"
#include "report/model/function_stats.h"
#include "report/model/tree.h"
#include "wasm_perf/report.h"

typedef struct wi_function_table {
  wi_tree *tree;           /* owned */
  wi_function_stats *rows; /* owned */
  uint32_t row_count;
  uint32_t shown_count; /* of the rows, from the first one on */
  wi_columns columns;
} wi_function_table;

/*
 * Makes the table of at most `row_limit` functions, the largest first, equal ones in order of their
 * names. False, with nothing to clear: out of memory. The profile must stay until the table is
 * cleared.
 */
bool wi_function_table_init(wi_function_table *table, const wasm_perf_profile *profile,
                            wasm_perf_sort sort, uint32_t row_limit);
void wi_function_table_clear(wi_function_table *table);

/* "30 more: 1.23 % of the total together": the functions that are not shown. */
typedef struct wi_remainder {
  char text[160];
} wi_remainder;
wi_remainder wi_remainder_of(const wi_function_table *table);

#endif /* WI_REPORT_MODEL_FUNCTION_TABLE_H_ */
