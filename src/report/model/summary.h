/* Statements about a profile as a whole, without markup characters. */
#ifndef WI_REPORT_MODEL_SUMMARY_H_
#define WI_REPORT_MODEL_SUMMARY_H_

#include "report/model/tree.h"
#include "wasm_perf/profile.h"

#define WI_SUMMARY_MAX_LINES 48 /* more than ever needed; the last line reports an overflow */

/* How to keep the names of, for example, "1 function". Ends before a way to supply them later. */
#define WI_SUMMARY_UNNAMED                                                                         \
  "No names for %s: keep them in the build (wasm-opt: -g; Emscripten: --profiling-funcs), or "

typedef struct wi_summary {
  char lines[WI_SUMMARY_MAX_LINES][240];
  bool is_caution[WI_SUMMARY_MAX_LINES]; /* the line says that results are unreliable */
  bool is_rough;       /* a line says that the values of single functions are not reliable */
  unsigned line_count; /* the first that is not a caution has the totals */
} wi_summary;

/* Fills in the totals and what to know about them: open frames, truncated stacks and so on. */
void wi_summary_init(wi_summary *summary, const wasm_perf_profile *profile, const wi_tree *tree);

/* The number of the line with the totals, and of the first note after it; line_count if none. */
unsigned wi_summary_totals(const wi_summary *summary);
unsigned wi_summary_notes(const wi_summary *summary);

/* Adds a line about frames beyond the depth limit, if the tree has any. */
void wi_summary_add_elided(wi_summary *summary, const wi_tree *tree);

/* Adds a line; `format` as for printf. */
void wi_summary_add(wi_summary *summary, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

/* Likewise, a line saying that results are unreliable. */
void wi_summary_warn(wi_summary *summary, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

#endif /* WI_REPORT_MODEL_SUMMARY_H_ */
