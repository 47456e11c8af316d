/* The findings of a tree, as a screen shows it. */
#ifndef WI_REPORT_MODEL_SHOWN_FINDINGS_H_
#define WI_REPORT_MODEL_SHOWN_FINDINGS_H_

#include "report/model/findings.h"

/* Finds what is remarkable in a tree whose sums are known. Returns false if memory ran out. */
bool wi_shown_find(wi_findings *findings, const wi_shown *shown);

#endif /* WI_REPORT_MODEL_SHOWN_FINDINGS_H_ */
