/* What tables say of a function, in HTML as in terminals: the columns beside its name. */
#ifndef WI_REPORT_MODEL_COLUMNS_H_
#define WI_REPORT_MODEL_COLUMNS_H_

#include <stdbool.h>
#include <stdint.h>

#include "report/model/function_stats.h"
#include "report/model/units.h"

#define WI_MAX_COLUMNS 8u

typedef struct wi_columns wi_columns;

typedef enum wi_column_kind {
  WI_COLUMN_SHARE, /* the value as a percentage of the whole */
  WI_COLUMN_SUM,   /* the value in the columns' unit */
  WI_COLUMN_COUNT, /* the value as it is */
  WI_COLUMN_MEAN,  /* the value ÷ calls */
} wi_column_kind;

typedef struct wi_column {
  const char *name; /* see wi_column_heading */
  const char *key;  /* "self", "total", "calls", "per-call", "cumulative": what to sort by */
  wi_column_kind kind;
  uint64_t (*value)(const wi_columns *columns, const wi_function_stats *row);
  unsigned drop_order; /* where there is no room: the largest goes first; 0: it stays */
} wi_column;

struct wi_columns {
  const wasm_perf_header *header; /* the profile's, borrowed */
  wi_display_unit unit;
  uint64_t whole; /* what shares are of */
  const wi_column *list[WI_MAX_COLUMNS];
  unsigned count;
};

/*
 * The columns of a table of functions, and those of a tree. `whole` also chooses the unit of times.
 * The profile must outlive them.
 */
void wi_columns_init(wi_columns *columns, const wasm_perf_profile *profile, uint64_t whole);
void wi_columns_init_tree(wi_columns *columns, const wasm_perf_profile *profile, uint64_t whole);

/* "self %", "total", "calls", "self/call"; the unit where cells of sums have none. */
wi_short_text wi_column_heading(const wi_columns *columns, const wi_column *column);

/* Takes out the column that matters least; false where all that are left have to stay. */
bool wi_columns_drop(wi_columns *columns, unsigned *index);

/* The text of a cell; times have their own units. */
wi_short_text wi_column_format(const wi_columns *columns, const wi_column *column,
                               const wi_function_stats *row);

#endif /* WI_REPORT_MODEL_COLUMNS_H_ */
