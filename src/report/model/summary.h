/* Statements about a profile as a whole, without markup characters. */
#ifndef WI_REPORT_MODEL_SUMMARY_H_
#define WI_REPORT_MODEL_SUMMARY_H_

#include "report/model/sampling.h"
#include "report/model/summary_lines.h"
#include "report/model/tree.h"
#include "wasm_perf/profile.h"

/* How to keep the names of, for example, "1 function". Ends before a way to supply them later. */
#define WI_SUMMARY_UNNAMED                                                                         \
  "No names for %s: keep them in the build (wasm-opt: -g; Emscripten: --profiling-funcs), or "

/* Why times of a wall clock are not to be trusted; %s: the number of functions. */
#define WI_SUMMARY_ALL_HOOKED                                                                      \
  "--clock wall is for few, long functions, but all %s have hooks, which read a clock. Choose "    \
  "some "                                                                                          \
  "with --only."

/* Fills in the totals and what to know about them: open frames, truncated stacks and so on. */
void wi_summary_init(wi_summary *summary, const wasm_perf_profile *profile, const wi_tree *tree,
                     const wi_time_notes *notes);

/* Adds a line about frames beyond the depth limit, if the tree has any. */
void wi_summary_add_elided(wi_summary *summary, const wi_tree *tree);

#endif /* WI_REPORT_MODEL_SUMMARY_H_ */
