/* The findings of a whole report, with those that only its profile knows: of lines and of time. */
#ifndef WI_REPORT_MODEL_REPORT_FINDINGS_H_
#define WI_REPORT_MODEL_REPORT_FINDINGS_H_

#include "report/model/findings.h"
#include "report/model/report.h"

/* Labels and nodes are from the report's tree. Returns false if memory ran out. */
bool wi_report_find(wi_findings *findings, const wi_report *report);

/* Only what is not in the tree: inlined functions, lines, the start. Returns false if memory ran out. */
bool wi_report_find_more(wi_findings *findings, const wi_report *report);

/* Why this report has no findings; NULL: it has. */
const char *wi_report_no_findings(const wi_report *report);

#endif /* WI_REPORT_MODEL_REPORT_FINDINGS_H_ */
