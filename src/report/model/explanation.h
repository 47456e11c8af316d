/* A profile on one screen: for readers in a hurry, and for programs that read on their behalf. */
#ifndef WI_REPORT_MODEL_EXPLANATION_H_
#define WI_REPORT_MODEL_EXPLANATION_H_

#include "report/model/findings.h"
#include "report/model/line_costs.h"
#include "report/model/report.h"

enum { WI_EXPLAINED_FUNCTIONS = 10, WI_EXPLAINED_STEPS = 12, WI_EXPLAINED_LINES = 5 };

/* A frame of the heaviest path, or several directly recursive frames of one function. */
typedef struct wi_path_step {
  uint32_t node;  /* the outermost frame */
  uint32_t count; /* number of frames */
} wi_path_step;

/* What it points to is borrowed. */
typedef struct wi_explanation {
  const wi_shown *shown;
  const wi_report *report; /* NULL: only a part of a profile is shown */
  const char *title;
  const wi_summary *summary;
  wi_findings findings;
  bool ranks_calls;                      /* functions are listed by calls: nothing else is known */
  uint64_t whole;                        /* calls or costs of all functions */
  uint32_t rows[WI_EXPLAINED_FUNCTIONS]; /* labels, largest first */
  uint32_t row_count;
  wi_path_step steps[WI_EXPLAINED_STEPS]; /* outermost first, without the skipped ones */
  uint32_t step_count;
  uint32_t skipped_count; /* frames that are skipped */
  uint32_t skipped_after; /* number of steps before these */
  wi_line_cost lines[WI_EXPLAINED_LINES];
  uint32_t line_count;
  uint64_t line_whole; /* instructions of all lines, and of code without a line */
} wi_explanation;

/* Explains a whole report; `shown` is made of it (report_shown.h). Returns false if memory ran out. */
bool wi_explanation_init(wi_explanation *explanation, const wi_shown *shown,
                         const wi_report *report);

/* Explains a part of a profile. `summary` says what is known of it. Returns false as above. */
bool wi_explanation_init_part(wi_explanation *explanation, const wi_shown *shown, const char *title,
                              const wi_summary *summary);

/* The function to look at next: the largest that belongs to the program, or WI_FINDING_NO_LABEL. */
uint32_t wi_explanation_next(const wi_explanation *explanation);

#endif /* WI_REPORT_MODEL_EXPLANATION_H_ */
