/* Scanning bodies of functions. */
#ifndef WI_CODE_SCAN_BODY_H_
#define WI_CODE_SCAN_BODY_H_

#include "code/scan.h"

/* Scans the body of the function at `index` among those with a body. */
bool wi_scan_body(wi_scan *scan, const wi_module *module, uint32_t index, wi_error *error);

#endif /* WI_CODE_SCAN_BODY_H_ */
