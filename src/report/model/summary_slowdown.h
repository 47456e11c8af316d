/* How much slower a program ran with the profiler, as a sentence of a report's summary. */
#ifndef WI_REPORT_MODEL_SUMMARY_SLOWDOWN_H_
#define WI_REPORT_MODEL_SUMMARY_SLOWDOWN_H_

#include "wasm_perf/profile.h"

#define WI_SLOWDOWN_TEXT_SIZE 400 /* includes the terminator */

/* Writes both run times and their quotient with its error, without a full stop. */
void wi_summary_slowdown(const wasm_perf_facts *facts, char text[WI_SLOWDOWN_TEXT_SIZE]);

/* Writes what to say instead of an error if the pairs of runs were too few for one. */
void wi_summary_few_pairs(const wasm_perf_facts *facts, char *text, size_t size);

#endif /* WI_REPORT_MODEL_SUMMARY_SLOWDOWN_H_ */
