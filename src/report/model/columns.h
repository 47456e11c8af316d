/* The columns beside a function's name in tables, both in HTML and in terminals. */
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
  const char *key;  /* sort key: "self", "total", "calls", "per-call", "cumulative" */
  wi_column_kind kind;
  uint64_t (*value)(const wi_columns *columns, const wi_function_stats *row);
  unsigned drop_order; /* if space is short, the highest is dropped first; 0: never dropped */
} wi_column;

struct wi_columns {
  const wi_view *view; /* borrowed */
  wi_display_unit unit;
  uint64_t whole; /* 100 % of shares */
  const wi_column *list[WI_MAX_COLUMNS];
  unsigned count;
};

/*
 * The columns of a table of functions, and of a tree. `whole` also determines the unit of times.
 * The view must outlive them.
 */
void wi_columns_init(wi_columns *columns, const wi_view *view, uint64_t whole);
void wi_columns_init_tree(wi_columns *columns, const wi_view *view, uint64_t whole);

/* "self %", "total", "calls", "self/call"; includes the unit if cells of sums do not. */
wi_short_text wi_column_heading(const wi_columns *columns, const wi_column *column);

/*
 * Removes the least important column and sets *index to its position. Returns false if none may be
 * dropped.
 */
bool wi_columns_drop(wi_columns *columns, unsigned *index);

/* The text of a cell. Times include their unit. */
wi_short_text wi_column_format(const wi_columns *columns, const wi_column *column,
                               const wi_function_stats *row);

#endif /* WI_REPORT_MODEL_COLUMNS_H_ */
