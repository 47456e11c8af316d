/* Changes between two profiles, as numbers and as text. */
#ifndef WI_REPORT_DIFF_CHANGE_H_
#define WI_REPORT_DIFF_CHANGE_H_

#include "report/model/units.h"
#include "wasm_perf/diff.h"

/* The unit of all values except calls. */
wi_unit wi_diff_unit(const wasm_perf_diff *diff);

/* The absolute value of the change. */
uint64_t wi_change_size(wasm_perf_change change);

/*
 * Fills in the calls of a row with a total, and whether they make it new or gone; `is_counted`: in
 * both profiles. A function without calls is still there if it runs.
 */
void wi_diff_row_count(wasm_perf_diff_row *row, bool is_counted, wasm_perf_change call_count);

/*
 * The standard deviation of a sampled time's change, from the numbers of samples; `periods`: the
 * times per sample.
 */
uint64_t wi_change_error(wasm_perf_change change, wasm_perf_change periods);

/* "+1.500", "-2" or "0": the difference, formatted like wi_format_in. */
wi_short_text wi_format_change(wasm_perf_change change, wi_display_unit unit);

/* Whether a percentage of `whole` is meaningful: not if `whole` is zero or tiny. */
bool wi_change_has_percentage(wasm_perf_change change, uint64_t whole);

/*
 * The difference as a percentage of `whole`, without the percent sign: "+12.34"; "-" if not
 * meaningful.
 */
wi_short_text wi_format_change_of(wasm_perf_change change, uint64_t whole);

/* "1 call → 3 calls, +200.00 %" */
typedef struct wi_long_text {
  char text[320];
} wi_long_text;

wi_long_text wi_format_before_after(wi_unit unit, wasm_perf_change change);

#endif /* WI_REPORT_DIFF_CHANGE_H_ */
