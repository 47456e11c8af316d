/*
 * Tables in the terminal. Usage of a wi_text_table, whose columns stand before the names of
 * functions: init, measure every row, write headings and rows.
 */
#ifndef WI_REPORT_TEXT_TEXT_TABLE_H_
#define WI_REPORT_TEXT_TEXT_TABLE_H_

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

#include "report/model/columns.h"
#include "report/model/report.h"

/* Names keep so many columns of the terminal, however few the numbers leave. */
#define WI_NAME_MIN_WIDTH 20u

/* ---- Cells of any table --------------------------------------------------- */

#define WI_GAP_WIDTH 2u /* after every cell */

/* How text stands out. */
#define WI_STYLE_PLAIN   ""
#define WI_STYLE_HEADING "\x1b[1m"
#define WI_STYLE_FAINT   "\x1b[2m"
#define WI_STYLE_HOST    "\x1b[36m"

/* Makes a column wide enough for `text`. */
void wi_widen(uint32_t *width, const char *text);

/* `text` at the right end of a column that is wide enough for it, and the gap. */
void wi_write_cell(const char *style, const char *text, uint32_t width, FILE *stream);

/* ---- Tables of functions -------------------------------------------------- */

typedef struct wi_text_table {
  wi_columns columns; /* those that there is room for */
  uint32_t widths[WI_MAX_COLUMNS];
  bool uses_color;
} wi_text_table;

void wi_text_table_init(wi_text_table *table, const wi_columns *columns,
                        const wasm_perf_report_options *options);

/* Makes the columns wide enough for `row`. */
void wi_text_table_measure(wi_text_table *table, const wi_function_stats *row);

/* Drops the columns that matter least until names have some room, where the width is limited. */
void wi_text_table_fit(wi_text_table *table, const wasm_perf_report_options *options);

/* The width of all columns with the gaps after them. */
uint32_t wi_text_table_width(const wi_text_table *table);

/* What names may take, at least WI_NAME_MIN_WIDTH; 0: no limit. */
uint32_t wi_text_table_name_width(const wi_text_table *table,
                                  const wasm_perf_report_options *options);

/* `names` is the heading of what follows the columns. */
void wi_text_table_write_headings(const wi_text_table *table, const char *names, FILE *stream);

/* How a row stands out by its first share, which rows are in order of: the name, too. */
const char *wi_text_table_style(const wi_text_table *table, const wi_function_stats *row);

/* The cells of a row; its name and the end of the line are left to the caller. */
void wi_text_table_write_cells(const wi_text_table *table, const wi_function_stats *row,
                               FILE *stream);

/* The width that a row needs after its name: that of "  in its caller", where its time is there. */
uint32_t wi_text_table_mark_width(const wi_function_stats *row);

/*
 * "  in its caller", and "  parse.c:12", where the row's function stands, after a name that ends in column
 * `used`; no place where that is not known, or is longer than the line may be.
 */
void wi_text_table_write_notes(const wi_text_table *table, const wi_report *report,
                               const wi_function_stats *row, uint32_t used, FILE *stream);

/* `text` in `style` where the table has colours. */
void wi_text_table_write_styled(const wi_text_table *table, const char *style, const char *text,
                                FILE *stream);

/* ---- Texts around them ---------------------------------------------------- */

/* What the profile says as a whole, in lines of at most options.width columns. */
void wi_write_summary(const wi_report *report, FILE *stream);

/* `text` in lines of at most options->width columns, broken at spaces. */
void wi_write_wrapped(const char *text, const wasm_perf_report_options *options, FILE *stream);

#endif /* WI_REPORT_TEXT_TEXT_TABLE_H_ */
