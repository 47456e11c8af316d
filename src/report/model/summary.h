/* What a report says about the profile as a whole, without markup characters. */
#ifndef WI_REPORT_MODEL_SUMMARY_H_
#define WI_REPORT_MODEL_SUMMARY_H_

#include "report/model/tree.h"
#include "wasm_perf/profile.h"

#define WI_SUMMARY_MAX_LINES 48 /* more than there is ever to say; the last one tells of a lack */

typedef struct wi_summary {
  char lines[WI_SUMMARY_MAX_LINES][240];
  bool is_caution[WI_SUMMARY_MAX_LINES]; /* what it says makes results unreliable */
  bool is_rough;       /* one of them says that the values say little of single functions */
  unsigned line_count; /* the first gives the totals, the others what there is to know of them */
} wi_summary;

/* Fills in the totals and what to know of them: open frames, stacks cut short and such. */
void wi_summary_init(wi_summary *summary, const wasm_perf_profile *profile, const wi_tree *tree);

/* Adds a line about frames beyond the depth limit, if the tree has any. */
void wi_summary_add_elided(wi_summary *summary, const wi_tree *tree);

/* Adds a line; a format as for printf. */
void wi_summary_add(wi_summary *summary, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

/* The same of something that makes results unreliable. */
void wi_summary_warn(wi_summary *summary, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

#endif /* WI_REPORT_MODEL_SUMMARY_H_ */
