/* Outlines as text: numbers on the left, the tree on the right. */
#ifndef WI_REPORT_TEXT_OUTLINE_TEXT_H_
#define WI_REPORT_TEXT_OUTLINE_TEXT_H_

#include <stdbool.h>
#include <stdio.h>

#include "report/model/outline.h"
#include "report/model/report.h"

/*
 * Writes the outline's lines, including the root's if `shows_root`, and why lines are missing.
 * Children follow their parent. If hidden children are large enough together, a line "… N more" has
 * their sums. Frames that share a node by recursion are one line, "name ×5". An only child stays in its parent's column,
 * so chains do not drift to the right. Of very many columns, only the last are drawn, after
 * "[number of the others]". Returns false on a write error, or if memory ran out.
 */
bool wi_outline_write(const wi_outline *outline, bool shows_root, const wi_report *report,
                      FILE *stream);

/*
 * For callers: writes a table of the direct callers, largest first, if there are several. Returns
 * false as above.
 */
bool wi_outline_write_callers(const wi_outline *outline, const wi_report *report, FILE *stream);

#endif /* WI_REPORT_TEXT_OUTLINE_TEXT_H_ */
