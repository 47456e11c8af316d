/* What a report says about times that are not only the program's own. */
#ifndef WI_REPORT_MODEL_SUMMARY_TIMES_H_
#define WI_REPORT_MODEL_SUMMARY_TIMES_H_

#include "report/model/sampling.h"
#include "report/model/summary_lines.h"
#include "report/model/tree.h"
#include "wasm_perf/profile.h"

/* Adds lines about a busy machine and about the time of hooks, if they matter. */
void wi_summary_add_times(wi_summary *summary, const wasm_perf_facts *facts, const wi_tree *tree,
                          const wi_time_notes *notes);

#endif /* WI_REPORT_MODEL_SUMMARY_TIMES_H_ */
