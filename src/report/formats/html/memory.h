/* Memory figures of the page, which work without scripts. */
#ifndef WI_REPORT_FORMATS_HTML_MEMORY_H_
#define WI_REPORT_FORMATS_HTML_MEMORY_H_

#include <stdio.h>

#include "report/formats/html/data.h"

/*
 * Writes a section: live bytes over time, and the sizes of blocks, for each run that has them. The
 * page moves #memory-time below the graph if that shows memory. Errors are left in the stream.
 */
void wi_html_memory_write(const wi_html_data *data, FILE *stream);

#endif /* WI_REPORT_FORMATS_HTML_MEMORY_H_ */
