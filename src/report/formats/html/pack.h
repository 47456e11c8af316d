/* The data of a page, packed. */
#ifndef WI_REPORT_FORMATS_HTML_PACK_H_
#define WI_REPORT_FORMATS_HTML_PACK_H_

#include <stdbool.h>
#include <stdio.h>

#include "report/formats/html/data.h"

/* Writes it packed. False: a write failed or memory ran out. */
bool wi_html_data_write(const wi_html_data *data, FILE *stream);

#endif /* WI_REPORT_FORMATS_HTML_PACK_H_ */
