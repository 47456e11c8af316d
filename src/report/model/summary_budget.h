/* What a report says of a budget for hooks. */
#ifndef WI_REPORT_MODEL_SUMMARY_BUDGET_H_
#define WI_REPORT_MODEL_SUMMARY_BUDGET_H_

#include "wasm_perf/profile.h"

#define WI_BUDGET_TEXT_SIZE 640 /* with the terminator */

/* Nanoseconds. Of a run shorter than that scheduling is a large part: hooks cannot be measured. */
#define WI_BUDGET_SHORT_RUN 50000000u

/* Writes what the facts say of a budget, predicted and measured, in one sentence without its dot.
 */
void wi_summary_budget(const wasm_perf_facts *facts, char text[WI_BUDGET_TEXT_SIZE]);

#endif /* WI_REPORT_MODEL_SUMMARY_BUDGET_H_ */
