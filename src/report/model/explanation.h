/* What a profile says in one screen: for a reader in a hurry, and for programs that read for
 * one. */
#ifndef WI_REPORT_MODEL_EXPLANATION_H_
#define WI_REPORT_MODEL_EXPLANATION_H_

#include "report/model/function_stats.h"
#include "report/model/line_costs.h"
#include "report/model/report.h"

enum { WI_EXPLAINED_FUNCTIONS = 10, WI_EXPLAINED_STEPS = 12, WI_EXPLAINED_LINES = 5 };

/* A frame of the heaviest path, or several of one function that call each other. */
typedef struct wi_path_step {
  uint32_t node;  /* the outermost */
  uint32_t count; /* frames */
} wi_path_step;

typedef struct wi_explanation {
  const wi_report *report;                /* borrowed; it has whole stacks */
  wi_function_stats *rows;                /* all functions, the largest self first; owned */
  uint32_t row_count;                     /* that are shown: none without a value of its own */
  wi_path_step steps[WI_EXPLAINED_STEPS]; /* outermost first; what is between is left out */
  uint32_t step_count;
  uint32_t skipped_count; /* frames that are left out */
  uint32_t skipped_after; /* steps that come before these */
  wi_line_cost lines[WI_EXPLAINED_LINES];
  uint32_t line_count;
  uint64_t line_whole; /* instructions of all lines, and of what has none */
} wi_explanation;

/* False, with nothing to clear: out of memory. */
bool wi_explanation_init(wi_explanation *explanation, const wi_report *report);
void wi_explanation_clear(wi_explanation *explanation);

/* The function to look at next: the one that takes most and is the program's own, or NULL. */
const wi_function_stats *wi_explanation_next(const wi_explanation *explanation);

#endif /* WI_REPORT_MODEL_EXPLANATION_H_ */
