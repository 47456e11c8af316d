/*
 * What changed most, in sentences, for the terminal and for pages.
 */
#ifndef WI_REPORT_DIFF_DIFF_FINDINGS_H_
#define WI_REPORT_DIFF_DIFF_FINDINGS_H_

#include "report/diff/change.h"

#define WI_DIFF_FINDINGS 4u /* at most */

/*
 * "34.5 % less: 12.0 ms → 7.86 ms". If the profiles have few functions in common, their totals are
 * not compared: "different programs? 3 of 90 functions in common: 12.0 ms → 7.86 ms".
 */
wi_long_text wi_diff_headline(const wasm_perf_diff *diff, wi_unit unit);

/* "−42.8 ms ± 3.10 ms (−34.5 %)", "+5 calls (new)", "+3.00 ms (none before)" */
wi_long_text wi_diff_finding(const wasm_perf_diff *diff, const wasm_perf_diff_row *row,
                             wi_unit unit);

/*
 * The line of JavaScript whose live memory grew most, if memory is compared:
 * "+600 KB live at the end: main.mjs:19 → parse, called in load". Empty if none grew, or if out of memory.
 */
wi_long_text wi_diff_holder(const wasm_perf_diff *diff);

/*
 * Finds the functions whose self changed most, each by at least a fiftieth of all changes. Fills in
 * their positions in the diff, largest change first, and returns how many there are.
 */
unsigned wi_diff_find(const wasm_perf_diff *diff, uint32_t rows[WI_DIFF_FINDINGS]);

#endif /* WI_REPORT_DIFF_DIFF_FINDINGS_H_ */
