/*
 * The columns of numbers that reports for the terminal begin their lines with. Usage: init, add the
 * columns, measure every row, write headings and rows.
 */
#ifndef WASM_PERF_REPORT_TEXT_TABLE_H_
#define WASM_PERF_REPORT_TEXT_TABLE_H_

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

#include "report/numbers.h"
#include "report/rows.h"

#define WASM_PERF_TABLE_MAX_COLUMNS 7u

/* Names keep so many columns of the terminal, however few the numbers leave. */
#define WASM_PERF_NAME_MIN_WIDTH 20u

typedef struct wasm_perf_table wasm_perf_table;

/* Headings and cells are aligned to the right, `width` characters wide. */
typedef struct wasm_perf_column {
  char heading[24];
  wasm_perf_short_text (*format)(const wasm_perf_table *table, const wasm_perf_row *row);
  uint64_t (*part)(const wasm_perf_row *row); /* of a share, which has no `format` */
  uint32_t width;
} wasm_perf_column;

struct wasm_perf_table {
  const wasm_perf_header *header;
  wasm_perf_unit unit;
  uint64_t whole;   /* what shares are of */
  uint64_t divisor; /* of the sums shown: nanoseconds in the unit of time columns, else 1 */
  const char *unit_text;
  bool uses_color;
  wasm_perf_column columns[WASM_PERF_TABLE_MAX_COLUMNS];
  unsigned column_count;
};

/* `whole` is what shares are of and chooses the unit of time; `options` may be NULL. */
void wasm_perf_table_init(wasm_perf_table *table, const wasm_perf_profile *profile, uint64_t whole,
                          const wasm_perf_report_options *options);

/* The columns of a table of functions; those of a tree. */
void wasm_perf_table_add_columns(wasm_perf_table *table, bool is_compensated);
void wasm_perf_table_add_tree_columns(wasm_perf_table *table);

/* Makes the columns wide enough for `row`. */
void wasm_perf_table_measure(wasm_perf_table *table, const wasm_perf_row *row);

/* The width of all columns with the gaps behind them. */
uint32_t wasm_perf_table_width(const wasm_perf_table *table);

/* What names may take, at least WASM_PERF_NAME_MIN_WIDTH; 0: no limit. */
uint32_t wasm_perf_table_name_width(const wasm_perf_table *table,
                                    const wasm_perf_report_options *options);

void wasm_perf_table_write_headings(const wasm_perf_table *table, FILE *stream);

/* The cells of a row; its name and the end of the line are left to the caller. */
void wasm_perf_table_write_cells(const wasm_perf_table *table, const wasm_perf_row *row,
                                 FILE *stream);

/* How text stands out where a table has colours. */
#define WASM_PERF_STYLE_PLAIN   ""
#define WASM_PERF_STYLE_HEADING "\x1b[1m"
#define WASM_PERF_STYLE_FAINT   "\x1b[2m"
#define WASM_PERF_STYLE_HOST    "\x1b[36m"

void wasm_perf_table_write_styled(const wasm_perf_table *table, const char *style, const char *text,
                                  FILE *stream);

/* What the profile says as a whole, in lines of at most options->width columns. */
void wasm_perf_table_write_summary(const wasm_perf_profile *profile, const wasm_perf_tree *tree,
                                   const wasm_perf_report_options *options, FILE *stream);

/* `text` in lines of at most options->width columns, broken at spaces. */
void wasm_perf_write_wrapped(const char *text, const wasm_perf_report_options *options,
                             FILE *stream);

#endif /* WASM_PERF_REPORT_TEXT_TABLE_H_ */
