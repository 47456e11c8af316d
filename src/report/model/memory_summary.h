/* The lines about memory in a report's summary. */
#ifndef WI_REPORT_MODEL_MEMORY_SUMMARY_H_
#define WI_REPORT_MODEL_MEMORY_SUMMARY_H_

#include "report/model/summary.h"

/* Adds nothing if the profile does not follow memory. */
void wi_summary_add_memory(wi_summary *summary, const wasm_perf_profile *profile);

#endif /* WI_REPORT_MODEL_MEMORY_SUMMARY_H_ */
