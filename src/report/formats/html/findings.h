/* The findings of a page (model/findings.h), in its JSON. */
#ifndef WI_REPORT_FORMATS_HTML_FINDINGS_H_
#define WI_REPORT_FORMATS_HTML_FINDINGS_H_

#include "report/formats/html/data.h"
#include "report/model/findings.h"
#include "support/json_writer.h"

/*
 * Writes a list with the function (−1: none), the frame (0: none), and the texts in front of the
 * function's name and behind it, and if it is about the beginning, its end in microseconds.
 */
void wi_html_finding_list_write(wi_json *json, const wi_findings *findings);

/*
 * Writes what the page says at first, unless it shows several profiles: then it asks its reader.
 * `order`: per node of the data, its position in preorder. Returns false if memory ran out.
 */
bool wi_html_findings_write(wi_json *json, const wi_html_data *data, const uint32_t *order);

#endif /* WI_REPORT_FORMATS_HTML_FINDINGS_H_ */
