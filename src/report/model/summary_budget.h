/* The line about a hook budget in a report's summary. */
#ifndef WI_REPORT_MODEL_SUMMARY_BUDGET_H_
#define WI_REPORT_MODEL_SUMMARY_BUDGET_H_

#include "wasm_perf/profile.h"

#define WI_BUDGET_TEXT_SIZE 640 /* includes the terminator */

/* In nanoseconds. In shorter runs, scheduling noise hides the cost of hooks. */
#define WI_BUDGET_SHORT_RUN 50000000u

/* Writes the facts about a budget, predicted and measured, as a sentence without a full stop. */
void wi_summary_budget(const wasm_perf_facts *facts, char text[WI_BUDGET_TEXT_SIZE]);

#endif /* WI_REPORT_MODEL_SUMMARY_BUDGET_H_ */
