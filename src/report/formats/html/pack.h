/* Packs the data of a page. */
#ifndef WI_REPORT_FORMATS_HTML_PACK_H_
#define WI_REPORT_FORMATS_HTML_PACK_H_

#include <stdbool.h>
#include <stdio.h>

#include "report/formats/html/data.h"

/* Writes the packed data. Returns false if a write failed or memory ran out. */
bool wi_html_data_write(const wi_html_data *data, FILE *stream);

#endif /* WI_REPORT_FORMATS_HTML_PACK_H_ */
