/*
 * Tables in a terminal. To use a wi_text_table, whose columns precede the names of functions: init
 * it, measure every row, then write headings and rows.
 */
#ifndef WI_REPORT_TEXT_TEXT_TABLE_H_
#define WI_REPORT_TEXT_TEXT_TABLE_H_

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

#include "report/model/columns.h"
#include "report/model/report.h"

/* Minimum width of names in columns, even if numbers leave less. */
#define WI_NAME_MIN_WIDTH 20u

/* ---- Cells of any table --------------------------------------------------- */

#define WI_GAP_WIDTH 2u /* after every cell */

/* Text styles. */
#define WI_STYLE_PLAIN   ""
#define WI_STYLE_HEADING "\x1b[1m"
#define WI_STYLE_FAINT   "\x1b[2m"
#define WI_STYLE_HOST    "\x1b[36m"

/* Widens a column to fit `text`. */
void wi_widen(uint32_t *width, const char *text);

/* Writes `text` right-aligned in a column wide enough for it, and the gap. */
void wi_write_cell(const char *style, const char *text, uint32_t width, FILE *stream);

/* ---- Tables of functions -------------------------------------------------- */

typedef struct wi_text_table {
  wi_columns columns; /* those that fit */
  uint32_t widths[WI_MAX_COLUMNS];
  bool uses_color;
} wi_text_table;

void wi_text_table_init(wi_text_table *table, const wi_columns *columns,
                        const wasm_perf_report_options *options);

/* Widens the columns to fit `row`. */
void wi_text_table_measure(wi_text_table *table, const wi_function_stats *row);

/* If the width is limited, drops the least important columns until names have some room. */
void wi_text_table_fit(wi_text_table *table, const wasm_perf_report_options *options);

/* The width of all columns, including the gaps after them. */
uint32_t wi_text_table_width(const wi_text_table *table);

/* The width available for names, at least WI_NAME_MIN_WIDTH; 0: unlimited. */
uint32_t wi_text_table_name_width(const wi_text_table *table,
                                  const wasm_perf_report_options *options);

/* `names` is the heading of the text after the columns. */
void wi_text_table_write_headings(const wi_text_table *table, const char *names, FILE *stream);

/* The style of a row's name, by its first share, if rows are sorted by that. */
const char *wi_text_table_style(const wi_text_table *table, const wi_function_stats *row);

/* Writes the cells of a row. The caller writes the name and the end of the line. */
void wi_text_table_write_cells(const wi_text_table *table, const wi_function_stats *row,
                               FILE *stream);

/* The width that a row needs after its name for "  in its caller", or 0. */
uint32_t wi_text_table_mark_width(const wi_function_stats *row);

/* Writes "  for parse", or another remark on a row after a name that ends in column *used, if it fits. */
void wi_text_table_write_remark(const wi_text_table *table, const wasm_perf_report_options *options,
                                const char *text, uint32_t *used, FILE *stream);

/*
 * Writes "  in its caller" if the row's time is charged there, and "  parse.c:12", its source
 * position, after a name that ends in column `used`. Omits the position if it is unknown or does
 * not fit.
 */
void wi_text_table_write_notes(const wi_text_table *table, const wi_report *report,
                               const wi_function_stats *row, uint32_t used, FILE *stream);

/* Writes `text`, in `style` if the table uses colours. */
void wi_text_table_write_styled(const wi_text_table *table, const char *style, const char *text,
                                FILE *stream);

/* ---- Text around tables --------------------------------------------------- */

/* Writes the totals, which come before a table, and cautions that matter more than those. */
void wi_write_totals(const wi_report *report, FILE *stream);

/*
 * Writes the other lines of the summary, which come after the table, below an empty line. On a
 * terminal only the cautions and what fits in two lines; explain has the rest.
 */
void wi_write_notes(const wi_report *report, FILE *stream);

/* Writes `text` in lines of at most options->width columns, broken at spaces. */
void wi_write_wrapped(const char *text, const wasm_perf_report_options *options, FILE *stream);

#endif /* WI_REPORT_TEXT_TEXT_TABLE_H_ */
