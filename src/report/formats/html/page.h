/* The page that the HTML report is: html/data.h says what it carries, page.html what it shows. */
#ifndef WI_REPORT_FORMATS_HTML_PAGE_H_
#define WI_REPORT_FORMATS_HTML_PAGE_H_

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

#include "report/model/report.h"

/*
 * Writes one page of reports of one unit and whole stacks; `is_difference`: of two, which opens
 * with the second one compared with the first. `title` is a label. False: write error or out of
 * memory.
 */
bool wi_html_page_write(const wi_report *reports, uint32_t count, bool is_difference,
                        const char *title, FILE *stream);

/* Writes the page without a profile: files are dropped on it. False: write error. */
bool wi_html_viewer_write(FILE *stream);

#endif /* WI_REPORT_FORMATS_HTML_PAGE_H_ */
