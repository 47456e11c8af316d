/* The page of the HTML report. data.h describes its data, page.html has its elements. */
#ifndef WI_REPORT_FORMATS_HTML_PAGE_H_
#define WI_REPORT_FORMATS_HTML_PAGE_H_

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

#include "report/model/report.h"

/*
 * Writes a page of reports with the same unit and whole stacks. `is_difference`: there are two
 * reports, and the page first shows the second one compared with the first. `title` is a label.
 * Returns false after a write error or if out of memory.
 */
bool wi_html_page_write(const wi_report *reports, uint32_t count, bool is_difference,
                        const char *title, FILE *stream);

/* Writes an empty page, which opens files dropped on it. Returns false after a write error. */
bool wi_html_viewer_write(FILE *stream);

#endif /* WI_REPORT_FORMATS_HTML_PAGE_H_ */
