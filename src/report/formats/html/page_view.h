/* What a page shows at the moment, as it passes it to its reader (cli/reader/main.c). */
#ifndef WI_REPORT_FORMATS_HTML_PAGE_VIEW_H_
#define WI_REPORT_FORMATS_HTML_PAGE_VIEW_H_

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "report/model/parts.h"
#include "report/model/units.h"
#include "support/json_writer.h"

/*
 * Writes the findings of a view as an object of JSON, see findings.h. `numbers` are doubles, as
 * reader.mjs writes them:
 *
 *     number of nodes, 1 if memory is shown, 1 if all calls of the program are, nanoseconds of a
 *     sample (0: not sampled),
 *     for each node but the root: parent, function, self, calls (NaN: not counted),
 *     for each function: what is known of its time (wi_time_note), short-lived blocks, all blocks
 *
 * Returns false if they are none of a view, or if memory ran out.
 */
bool wi_html_view_write(wi_json *json, const wi_part_function *functions, uint32_t function_count,
                        const double *numbers, size_t number_count, wi_unit unit);

#endif /* WI_REPORT_FORMATS_HTML_PAGE_VIEW_H_ */
