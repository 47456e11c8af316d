/* Measured calls in the page, which work without scripts. */
#ifndef WI_REPORT_FORMATS_HTML_CALL_LIST_H_
#define WI_REPORT_FORMATS_HTML_CALL_LIST_H_

#include <stdio.h>

#include "report/formats/html/data.h"

/*
 * Writes a section: the functions whose calls were measured, each with a chart, and the slowest
 * calls, for each run that has them. Returns false if out of memory; other errors are left in the
 * stream.
 */
bool wi_html_calls_write(const wi_html_data *data, FILE *stream);

#endif /* WI_REPORT_FORMATS_HTML_CALL_LIST_H_ */
