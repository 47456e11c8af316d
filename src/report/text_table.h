/*
 * Tables in the terminal. Usage of a wasm_perf_text_table, whose columns stand before the names of
 * functions: init, measure every row, write headings and rows.
 */
#ifndef WASM_PERF_REPORT_TEXT_TABLE_H_
#define WASM_PERF_REPORT_TEXT_TABLE_H_

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

#include "report/columns.h"

/* Names keep so many columns of the terminal, however few the numbers leave. */
#define WASM_PERF_NAME_MIN_WIDTH 20u

/* ---- Cells of any table --------------------------------------------------- */

#define WASM_PERF_GAP_WIDTH 2u /* behind every cell */

/* How text stands out. */
#define WASM_PERF_STYLE_PLAIN   ""
#define WASM_PERF_STYLE_HEADING "\x1b[1m"
#define WASM_PERF_STYLE_FAINT   "\x1b[2m"
#define WASM_PERF_STYLE_HOST    "\x1b[36m"

/* Makes a column wide enough for `text`. */
void wasm_perf_widen(uint32_t *width, const char *text);

/* `text` at the right end of a column that is wide enough for it, and the gap. */
void wasm_perf_write_cell(const char *style, const char *text, uint32_t width, FILE *stream);

/* ---- Tables of functions -------------------------------------------------- */

typedef struct wasm_perf_text_table {
  const wasm_perf_columns *columns; /* borrowed */
  uint32_t widths[WASM_PERF_MAX_COLUMNS];
  bool uses_color;
} wasm_perf_text_table;

/* `options` may be NULL. */
void wasm_perf_text_table_init(wasm_perf_text_table *table, const wasm_perf_columns *columns,
                               const wasm_perf_report_options *options);

/* Makes the columns wide enough for `row`. */
void wasm_perf_text_table_measure(wasm_perf_text_table *table, const wasm_perf_row *row);

/* The width of all columns with the gaps behind them. */
uint32_t wasm_perf_text_table_width(const wasm_perf_text_table *table);

/* What names may take, at least WASM_PERF_NAME_MIN_WIDTH; 0: no limit. */
uint32_t wasm_perf_text_table_name_width(const wasm_perf_text_table *table,
                                         const wasm_perf_report_options *options);

void wasm_perf_text_table_write_headings(const wasm_perf_text_table *table, FILE *stream);

/* The cells of a row; its name and the end of the line are left to the caller. */
void wasm_perf_text_table_write_cells(const wasm_perf_text_table *table, const wasm_perf_row *row,
                                      FILE *stream);

/* `text` in `style` where the table has colours. */
void wasm_perf_text_table_write_styled(const wasm_perf_text_table *table, const char *style,
                                       const char *text, FILE *stream);

/* ---- Texts around them ---------------------------------------------------- */

/* What the profile says as a whole, in lines of at most options->width columns. */
void wasm_perf_write_summary(const wasm_perf_profile *profile, const wasm_perf_tree *tree,
                             const wasm_perf_report_options *options, FILE *stream);

/* `text` in lines of at most options->width columns, broken at spaces. */
void wasm_perf_write_wrapped(const char *text, const wasm_perf_report_options *options,
                             FILE *stream);

#endif /* WASM_PERF_REPORT_TEXT_TABLE_H_ */
