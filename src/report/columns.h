/* What tables say of a function, in HTML as in terminals: the columns beside its name. */
#ifndef WASM_PERF_REPORT_COLUMNS_H_
#define WASM_PERF_REPORT_COLUMNS_H_

#include <stdint.h>

#include "report/numbers.h"
#include "report/rows.h"

#define WASM_PERF_MAX_COLUMNS 7u

typedef struct wasm_perf_columns wasm_perf_columns;

typedef enum wasm_perf_column_kind {
  WASM_PERF_COLUMN_SHARE, /* the value as a percentage of the whole */
  WASM_PERF_COLUMN_SUM,   /* the value in the columns' unit */
  WASM_PERF_COLUMN_COUNT, /* the value as it is */
  WASM_PERF_COLUMN_MEAN,  /* the value ÷ calls */
} wasm_perf_column_kind;

typedef struct wasm_perf_column {
  const char *name; /* see wasm_perf_column_heading */
  const char *key;  /* "self", "error", "total", "calls", "per-call": what to sort by */
  wasm_perf_column_kind kind;
  uint64_t (*value)(const wasm_perf_columns *columns, const wasm_perf_row *row);
} wasm_perf_column;

struct wasm_perf_columns {
  const wasm_perf_header *header; /* the profile's, borrowed */
  wasm_perf_display_unit unit;
  uint64_t whole; /* what shares are of */
  const wasm_perf_column *list[WASM_PERF_MAX_COLUMNS];
  unsigned count;
};

/*
 * The columns of a table of functions, and those of a tree. `whole` also chooses the unit of times.
 * The profile must outlive them.
 */
void wasm_perf_columns_init(wasm_perf_columns *columns, const wasm_perf_profile *profile,
                            uint64_t whole);
void wasm_perf_columns_init_tree(wasm_perf_columns *columns, const wasm_perf_profile *profile,
                                 uint64_t whole);

/* "self %", "total ms", "calls", "self ns/call" */
wasm_perf_short_text wasm_perf_column_heading(const wasm_perf_columns *columns,
                                              const wasm_perf_column *column);

/* The text of a cell. */
wasm_perf_short_text wasm_perf_column_format(const wasm_perf_columns *columns,
                                             const wasm_perf_column *column,
                                             const wasm_perf_row *row);

#endif /* WASM_PERF_REPORT_COLUMNS_H_ */
