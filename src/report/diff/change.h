/* Changes between two profiles, as numbers and as text. */
#ifndef WI_REPORT_DIFF_CHANGE_H_
#define WI_REPORT_DIFF_CHANGE_H_

#include "report/model/units.h"
#include "wasm_perf/diff.h"

/* The absolute value of the change. */
uint64_t wi_change_size(wasm_perf_change change);

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
  char text[160];
} wi_long_text;

wi_long_text wi_format_before_after(wi_unit unit, wasm_perf_change change);

#endif /* WI_REPORT_DIFF_CHANGE_H_ */
