/* What a report says about times that are not only the program's own. */
#ifndef WI_REPORT_MODEL_SUMMARY_TIMES_H_
#define WI_REPORT_MODEL_SUMMARY_TIMES_H_

#include "names/shorten.h"
#include "report/model/sampling.h"
#include "report/model/summary_lines.h"
#include "report/model/tree.h"
#include "wasm_perf/profile.h"

#define WI_CHEAPER_HOOKS "Record the module without hooks instead: record adds cheaper ones."

/* Adds lines about a busy machine and about the time of hooks, if they matter. */
void wi_summary_add_times(wi_summary *summary, const wasm_perf_facts *facts, const wi_tree *tree,
                          const wi_time_notes *notes);

#define WI_FUNCTIONS_SIZE (WI_SHORTENED_SIZE + sizeof(wi_short_text) + sizeof " and ")

/* Writes "strcmp", or "strcmp and 2 others" for `count` functions of which the label is one. */
void wi_summary_functions(char text[WI_FUNCTIONS_SIZE], const wi_tree *tree, uint32_t label,
                          uint32_t count);

#endif /* WI_REPORT_MODEL_SUMMARY_TIMES_H_ */
