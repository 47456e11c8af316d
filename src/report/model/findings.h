/* What is worth knowing of a profile at first sight, in sentences. */
#ifndef WI_REPORT_MODEL_FINDINGS_H_
#define WI_REPORT_MODEL_FINDINGS_H_

#include "report/model/report.h"

#define WI_MAX_FINDINGS 3

typedef struct wi_findings {
  char lines[WI_MAX_FINDINGS][WI_LABEL_MAX_SIZE + 256]; /* not escaped for markup */
  unsigned count;
} wi_findings;

/*
 * Fills in the largest function, how few functions take nearly everything, and the innermost
 * frame that most of it passes through. The report has whole stacks. False: out of memory.
 */
bool wi_findings_init(wi_findings *findings, const wi_report *report);

#endif /* WI_REPORT_MODEL_FINDINGS_H_ */
