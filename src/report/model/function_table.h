/* The functions that a report lists, in HTML or in a terminal, with their columns. */
#ifndef WI_REPORT_MODEL_FUNCTION_TABLE_H_
#define WI_REPORT_MODEL_FUNCTION_TABLE_H_

#include <stdbool.h>
#include <stdint.h>

#include "report/model/columns.h"
#include "report/model/function_stats.h"
#include "report/model/report.h"

typedef struct wi_function_table {
  const wi_tree *tree;     /* the report's */
  wi_function_stats *rows; /* owned */
  uint32_t row_count;
  uint32_t shown_count; /* of the rows, from the first one on */
  wi_columns columns;
} wi_function_table;

/*
 * Makes the table of at most `row_limit` functions, the largest first, equal ones in order of their
 * names. The report has whole stacks and outlives the table. False, with nothing to clear: out of
 * memory.
 */
bool wi_function_table_init(wi_function_table *table, const wi_report *report, wasm_perf_sort sort,
                            uint32_t row_limit);
void wi_function_table_clear(wi_function_table *table);

/* "30 more: 1.23 % of the total together": the functions that are not shown. */
typedef struct wi_remainder {
  char text[160];
} wi_remainder;
wi_remainder wi_remainder_of(const wi_function_table *table);

#endif /* WI_REPORT_MODEL_FUNCTION_TABLE_H_ */
