/* The functions that a report lists, in HTML or in a terminal, with their columns. */
#ifndef WI_REPORT_MODEL_FUNCTION_TABLE_H_
#define WI_REPORT_MODEL_FUNCTION_TABLE_H_

#include <stdbool.h>
#include <stdint.h>

#include "report/model/columns.h"
#include "report/model/function_stats.h"
#include "report/model/layers.h"
#include "report/model/report.h"

typedef struct wi_function_table {
  const wi_tree *tree;     /* borrowed from the report */
  wi_function_stats *rows; /* owned */
  wi_layer *layers;        /* per label, if the values are of memory, else NULL; owned */
  uint32_t row_count;
  uint32_t shown_count; /* number of rows to show, from the first on */
  wi_columns columns;
} wi_function_table;

/*
 * Makes a table that shows at most `row_limit` functions, largest first, equal ones sorted by name.
 * The report must have whole stacks and outlive the table. Returns false, with nothing to clear, if
 * memory ran out.
 */
bool wi_function_table_init(wi_function_table *table, const wi_report *report, wasm_perf_sort sort,
                            uint32_t row_limit);
void wi_function_table_clear(wi_function_table *table);

/* The functions that are not shown: "30 more: 1.23 % of the total together". */
typedef struct wi_remainder {
  char text[160];
} wi_remainder;
wi_remainder wi_remainder_of(const wi_function_table *table);

#endif /* WI_REPORT_MODEL_FUNCTION_TABLE_H_ */
