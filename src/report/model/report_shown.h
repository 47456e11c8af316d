/* All of a report, as a screen shows it at first. */
#ifndef WI_REPORT_MODEL_REPORT_SHOWN_H_
#define WI_REPORT_MODEL_REPORT_SHOWN_H_

#include "report/model/report.h"
#include "report/model/shown.h"

/*
 * Labels and nodes have the numbers that they have in the report's tree, which must outlive the
 * texts of the result. Its sums are computed. Returns false, with nothing to clear, if memory ran out.
 */
bool wi_report_show(wi_shown *shown, const wi_report *report);

#endif /* WI_REPORT_MODEL_REPORT_SHOWN_H_ */
