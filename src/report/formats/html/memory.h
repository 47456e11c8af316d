/* What the page says of memory beside the flame graph: figures that need no script. */
#ifndef WI_REPORT_FORMATS_HTML_MEMORY_H_
#define WI_REPORT_FORMATS_HTML_MEMORY_H_

#include <stdio.h>

#include "report/model/report.h"

/*
 * Writes how much was live while the program went on, and how large the blocks were; nothing of a
 * profile that does not have that. The stream keeps its own errors.
 */
void wi_html_memory_write(const wi_report *report, FILE *stream);

#endif /* WI_REPORT_FORMATS_HTML_MEMORY_H_ */
