/* What a page shows at the moment, as it passes it to its reader (cli/reader/main.c). */
#ifndef WI_REPORT_FORMATS_HTML_PAGE_VIEW_H_
#define WI_REPORT_FORMATS_HTML_PAGE_VIEW_H_

#include <stddef.h>

#include "report/model/shown.h"

/*
 * Describes a view, to be cleared. `numbers` are doubles, as reader.mjs writes them:
 *
 *     number of nodes, 1 if memory is shown, 1 if all calls of the program are, nanoseconds of a
 *     sample (0: not sampled), 1 if the times are too rough for findings,
 *     for each node but the root: parent, function, self, calls (NaN: not counted),
 *     for each function: what is known of its time (wi_time_note), short-lived blocks, all blocks
 *
 * The functions' texts must outlive the view. Returns false, with nothing to clear, if the numbers
 * are none of a view, or if memory ran out.
 */
bool wi_html_view_init(wi_shown *view, const wi_part_function *functions, uint32_t function_count,
                       const double *numbers, size_t number_count, wi_unit unit);

#endif /* WI_REPORT_FORMATS_HTML_PAGE_VIEW_H_ */
