/* The summary of a diff, shown above every format. */
#ifndef WI_REPORT_DIFF_DIFF_SUMMARY_H_
#define WI_REPORT_DIFF_DIFF_SUMMARY_H_

#include "report/diff/change.h"
#include "report/model/summary.h"
#include "report/model/units.h"
#include "wasm_perf/diff.h"

/* Totals first, then cautions. */
void wi_diff_summary_init(wi_summary *summary, const wasm_perf_diff *diff);

#endif /* WI_REPORT_DIFF_DIFF_SUMMARY_H_ */
