/* Outlines as lines of text: the numbers to the left, the tree to the right. */
#ifndef WI_REPORT_TEXT_OUTLINE_TEXT_H_
#define WI_REPORT_TEXT_OUTLINE_TEXT_H_

#include <stdbool.h>
#include <stdio.h>

#include "report/model/outline.h"
#include "wasm_perf/report.h"

/* What `options` (may be NULL) limit an outline to. */
wi_outline_limits wi_outline_limits_of(const wasm_perf_report_options *options);

/*
 * Writes the outline's lines, that of the root only if `shows_root`, and why some are missing.
 * Children stand below their parent; each place where some are left out has a line "… N more" with
 * their sums. An only child stays in its parent's column, so chains do not wander to the right, and
 * of very many columns only the last are drawn behind a "[number of the others]". False: write
 * error or out of memory.
 */
bool wi_outline_write(const wi_outline *outline, bool shows_root, const wasm_perf_profile *profile,
                      const wi_tree *tree, const wasm_perf_report_options *options, FILE *stream);

#endif /* WI_REPORT_TEXT_OUTLINE_TEXT_H_ */
