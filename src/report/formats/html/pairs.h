/* Pairs the functions of two profiles that the page compares. */
#ifndef WI_REPORT_FORMATS_HTML_PAIRS_H_
#define WI_REPORT_FORMATS_HTML_PAIRS_H_

#include "report/model/parts.h"
#include "support/json_writer.h"

/*
 * Pairs functions as model/identities.h describes. `functions` has the first profile's `counts[0]`
 * functions, then the second profile's. Writes members of an open object: the members of
 * html/names.h, in which each function occurs once, and
 *
 *   "labels"  for each profile, for each of its functions, its position in "names"
 *
 * Returns false if out of memory.
 */
bool wi_html_pairs_write(wi_json *json, const wi_part_function *functions,
                         const uint32_t counts[2]);

#endif /* WI_REPORT_FORMATS_HTML_PAIRS_H_ */
