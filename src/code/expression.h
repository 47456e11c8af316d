/* Scans expressions. */
#ifndef WI_CODE_EXPRESSION_H_
#define WI_CODE_EXPRESSION_H_

#include "code/scan.h"

/*
 * Scans instructions up to the end that closes the expression, and leaves the cursor after it. The
 * cursor's range may extend further.
 */
bool wi_scan_expression(wi_scan *scan, const wi_module *module, wi_cursor *cursor);

#endif /* WI_CODE_EXPRESSION_H_ */
