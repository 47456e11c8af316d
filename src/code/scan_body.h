/* Scanning bodies of functions. */
#ifndef WI_CODE_SCAN_BODY_H_
#define WI_CODE_SCAN_BODY_H_

#include "code/scan.h"

/*
 * Scans the body of the function at `index` among those with a body. *wants must last as long as
 * the findings; NULL: nothing beside what any rewriter needs.
 */
bool wi_scan_body(wi_scan *scan, const wi_module *module, uint32_t index,
                  const wi_scan_wants *wants, wi_error *error);

#endif /* WI_CODE_SCAN_BODY_H_ */
