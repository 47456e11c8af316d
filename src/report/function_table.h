/* The table of functions that reports show: which rows, which columns, what stands in a cell. */
#ifndef WASM_PERF_REPORT_FUNCTION_TABLE_H_
#define WASM_PERF_REPORT_FUNCTION_TABLE_H_

#include <stdbool.h>
#include <stdint.h>

#include "report/numbers.h"
#include "report/rows.h"
#include "report/tree.h"

#define WASM_PERF_FUNCTION_TABLE_MAX_COLUMNS 7u

typedef struct wasm_perf_function_table wasm_perf_function_table;

/* One before the functions' names. Columns of the same key are in the same order of rows. */
typedef struct wasm_perf_function_column {
  char heading[24];
  const char *key; /* what the column is about: "self", "error", "total", "calls", "per-call" */
  wasm_perf_short_text (*format)(const wasm_perf_function_table *table, const wasm_perf_row *row);
  /* What `format` rounds; NULL where that is a ratio. */
  uint64_t (*value)(const wasm_perf_function_table *table, const wasm_perf_row *row);
} wasm_perf_function_column;

struct wasm_perf_function_table {
  const wasm_perf_header *header; /* the profile's, borrowed */
  wasm_perf_tree *tree;           /* owned */
  wasm_perf_row *rows;            /* see wasm_perf_rows_new, owned */
  uint32_t row_count;
  uint32_t shown_count; /* of the rows, from the first one on */
  wasm_perf_unit unit;
  uint64_t divisor; /* of the sums shown: nanoseconds in the unit of time columns, else 1 */
  wasm_perf_function_column columns[WASM_PERF_FUNCTION_TABLE_MAX_COLUMNS];
  unsigned column_count;
};

/*
 * Makes the table of at most `row_limit` functions. False, with nothing to clear: out of memory.
 * The profile must stay until the table is cleared.
 */
bool wasm_perf_function_table_init(wasm_perf_function_table *table,
                                   const wasm_perf_profile *profile, uint32_t row_limit);
void wasm_perf_function_table_clear(wasm_perf_function_table *table);

/* "30 more: 1.23 % of the total together": the functions that are not shown. */
typedef struct wasm_perf_remainder {
  char text[160];
} wasm_perf_remainder;
wasm_perf_remainder wasm_perf_remainder_of(const wasm_perf_function_table *table);

#endif /* WASM_PERF_REPORT_FUNCTION_TABLE_H_ */
