/* Outlines as lines of text: the numbers to the left, the tree to the right. */
#ifndef WI_REPORT_TEXT_OUTLINE_TEXT_H_
#define WI_REPORT_TEXT_OUTLINE_TEXT_H_

#include <stdbool.h>
#include <stdio.h>

#include "report/model/outline.h"
#include "report/model/report.h"

/*
 * Writes the outline's lines, that of the root only if `shows_root`, and why some are missing.
 * Children stand below their parent; where some are left out that are worth it together, a line "…
 * N more" has their sums. A function that calls itself is one line, "name ×5". An only child stays
 * in its parent's column, so chains do not wander to the right, and of very many columns only the
 * last are drawn after a "[number of the others]". False: write error or out of memory.
 */
bool wi_outline_write(const wi_outline *outline, bool shows_root, const wi_report *report,
                      FILE *stream);

/*
 * Of callers: writes those that call the function directly as a table, the largest first, where
 * they are several. False: as above.
 */
bool wi_outline_write_callers(const wi_outline *outline, const wi_report *report, FILE *stream);

#endif /* WI_REPORT_TEXT_OUTLINE_TEXT_H_ */
