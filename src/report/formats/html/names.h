/* What the page knows of the names of functions, so that it need not take them apart. */
#ifndef WI_REPORT_FORMATS_HTML_NAMES_H_
#define WI_REPORT_FORMATS_HTML_NAMES_H_

#include "report/model/parts.h"
#include "support/json_writer.h"

/*
 * Writes members of an open object:
 *
 *   "names"   labels
 *   "kinds"   for each name, its wi_color_kind
 *   "forms"   for each name, the UTF-16 code units in front of the function's own name, then ever
 *             shorter forms of the name (names/forms.h), each made from the one before: N > 0 leaves
 *             out the first N code units, N < 0 the last; or the text
 *   "parts"   {"kind", "name", "outer": index of the part that contains it, "folders": code units in
 *             front of the name that all packages have}; "outer" and "folders" may be missing
 *   "partOf"  for each name, the index of its part
 *   "places"  [name, file, line] of the names whose files are known
 *   "hints"   names that are only hints from the functions' code
 *
 * Returns false if out of memory.
 */
bool wi_html_names_write(wi_json *json, const wi_part_function *functions, uint32_t count);

#endif /* WI_REPORT_FORMATS_HTML_NAMES_H_ */
