/* Memory figures of the page, which work without scripts. */
#ifndef WI_REPORT_FORMATS_HTML_MEMORY_H_
#define WI_REPORT_FORMATS_HTML_MEMORY_H_

#include <stdio.h>

#include "report/model/report.h"

/*
 * Writes the live bytes over time, and the sizes of blocks. Omits what the profile does not
 * contain. Errors are left in the stream.
 */
void wi_html_memory_write(const wi_report *report, FILE *stream);

#endif /* WI_REPORT_FORMATS_HTML_MEMORY_H_ */
