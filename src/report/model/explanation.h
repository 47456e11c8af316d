/* A profile on one screen: for readers in a hurry, and for programs that read on their behalf. */
#ifndef WI_REPORT_MODEL_EXPLANATION_H_
#define WI_REPORT_MODEL_EXPLANATION_H_

#include "report/model/function_stats.h"
#include "report/model/line_costs.h"
#include "report/model/report.h"

enum { WI_EXPLAINED_FUNCTIONS = 10, WI_EXPLAINED_STEPS = 12, WI_EXPLAINED_LINES = 5 };

/* A frame of the heaviest path, or several directly recursive frames of one function. */
typedef struct wi_path_step {
  uint32_t node;  /* the outermost frame */
  uint32_t count; /* number of frames */
} wi_path_step;

typedef struct wi_explanation {
  const wi_report *report;                /* borrowed; must have whole stacks */
  wi_function_stats *rows;                /* all functions, largest self first; owned */
  uint32_t row_count;                     /* number to show: those with a self value */
  wi_path_step steps[WI_EXPLAINED_STEPS]; /* outermost first, without the skipped ones */
  uint32_t step_count;
  uint32_t skipped_count; /* frames that are skipped */
  uint32_t skipped_after; /* number of steps before these */
  wi_line_cost lines[WI_EXPLAINED_LINES];
  uint32_t line_count;
  uint64_t line_whole; /* instructions of all lines, and of code without a line */
} wi_explanation;

/* Returns false, with nothing to clear, if memory ran out. */
bool wi_explanation_init(wi_explanation *explanation, const wi_report *report);
void wi_explanation_clear(wi_explanation *explanation);

/* Whether functions are listed by calls: nothing else was measured. */
bool wi_explanation_ranks_calls(const wi_report *report);

/* The function to look at next: the largest that belongs to the program, or NULL. */
const wi_function_stats *wi_explanation_next(const wi_explanation *explanation);

#endif /* WI_REPORT_MODEL_EXPLANATION_H_ */
