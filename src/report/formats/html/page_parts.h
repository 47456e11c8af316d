/*
 * The parts of the page that belong to a profile. The rest is the same in each page, so a page that
 * reads a file (cli/reader/main.c) gets only these.
 */
#ifndef WI_REPORT_FORMATS_HTML_PAGE_PARTS_H_
#define WI_REPORT_FORMATS_HTML_PAGE_PARTS_H_

#include <stdbool.h>
#include <stdio.h>

#include "report/formats/html/data.h"

/* The element with the packed data, which is empty in a page without a profile. */
#define WI_HTML_OPEN_DATA  "<script type=\"application/octet-stream\" id=\"profile\">"
#define WI_HTML_CLOSE_DATA "</script>\n"

/* Writes the totals, and a collapsed "Details" with everything else. */
void wi_html_summary_write(const wi_html_data *data, FILE *stream);

/* Writes the memory figures, the measured calls and the packed data. Returns false if out of memory. */
bool wi_html_values_write(const wi_html_data *data, FILE *stream);

#endif /* WI_REPORT_FORMATS_HTML_PAGE_PARTS_H_ */
