/* Scans function bodies. */
#ifndef WI_CODE_SCAN_BODY_H_
#define WI_CODE_SCAN_BODY_H_

#include "code/scan.h"

/*
 * Scans the body at `index` in the code section. *wants must live as long as the results; NULL:
 * record only what every rewriter needs.
 */
bool wi_scan_body(wi_scan *scan, const wi_module *module, uint32_t index,
                  const wi_scan_wants *wants, wi_error *error);

#endif /* WI_CODE_SCAN_BODY_H_ */
