/* The findings of a whole report, with those that only its profile knows: of lines and of time. */
#ifndef WI_REPORT_MODEL_REPORT_FINDINGS_H_
#define WI_REPORT_MODEL_REPORT_FINDINGS_H_

#include "report/model/findings.h"
#include "report/model/report.h"

/* `shown` is the report's (report_shown.h). Returns false if memory ran out. */
bool wi_report_find(wi_findings *findings, const wi_shown *shown, const wi_report *report);

#endif /* WI_REPORT_MODEL_REPORT_FINDINGS_H_ */
