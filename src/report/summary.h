/* What a report says about the profile as a whole, without markup characters. */
#ifndef WASM_PERF_REPORT_SUMMARY_H_
#define WASM_PERF_REPORT_SUMMARY_H_

#include "report/tree.h"
#include "wasm_perf/profile.h"

#define WASM_PERF_SUMMARY_MAX_LINES 12

typedef struct wasm_perf_summary {
  char lines[WASM_PERF_SUMMARY_MAX_LINES][240];
  unsigned line_count; /* the first gives the totals, the others say what to be aware of */
} wasm_perf_summary;

/* Fills in the totals and what the profile itself tells: folded calls, open frames and such. */
void wasm_perf_summary_init(wasm_perf_summary *summary, const wasm_perf_profile *profile,
                            const wasm_perf_tree *tree);

/* Adds a line about frames beyond the depth limit, if the tree has any. */
void wasm_perf_summary_add_elided(wasm_perf_summary *summary, const wasm_perf_tree *tree);

/* Adds a line; a format as for printf. */
#if defined(__GNUC__)
__attribute__((format(printf, 2, 3)))
#endif
void wasm_perf_summary_add(wasm_perf_summary *summary, const char *format, ...);

#endif /* WASM_PERF_REPORT_SUMMARY_H_ */
