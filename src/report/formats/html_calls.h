/* The part of the HTML report that says who calls whom. */
#ifndef WI_REPORT_FORMATS_HTML_CALLS_H_
#define WI_REPORT_FORMATS_HTML_CALLS_H_

#include <stdbool.h>
#include <stdio.h>

#include "report/model/function_table.h"

/*
 * Writes JSON, for html.js: an array with an element {callers, callees} for each row shown, both
 * {rows, more}: `rows` has [row, calls, share of the total as a percentage] for each function,
 * those of the largest total first, where row -1 is the host; `more` is how many there are beside
 * those. False: out of memory. The stream's error indicator tells of other failures.
 */
bool wi_html_write_calls(const wi_function_table *table, FILE *stream);

#endif /* WI_REPORT_FORMATS_HTML_CALLS_H_ */
