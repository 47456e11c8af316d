/* Scanning instructions. */
#ifndef WI_CODE_EXPRESSION_H_
#define WI_CODE_EXPRESSION_H_

#include "code/scan.h"

/*
 * Scans instructions up to the end that closes the expression; the cursor then stands after it,
 * and its part may go on there.
 */
bool wi_scan_expression(wi_scan *scan, const wi_module *module, wi_cursor *cursor);

#endif /* WI_CODE_EXPRESSION_H_ */
