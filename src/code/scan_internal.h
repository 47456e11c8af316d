/* Parts of the scanner shared by code and section items. */
#ifndef WI_CODE_SCAN_INTERNAL_H_
#define WI_CODE_SCAN_INTERNAL_H_

#include "code/scan.h"

/* Forgets the findings, keeps the memory. */
void wi_scan_reset(wi_scan *scan);

void wi_scan_add_site(wi_scan *scan, wi_cursor *cursor, wi_site site);

/* Reads a function index and records it as a site. */
uint32_t wi_scan_function_index(wi_scan *scan, const wi_module *module, wi_cursor *cursor);

/* Scans instructions up to the end that closes the expression; the cursor stands behind it. */
bool wi_scan_expression(wi_scan *scan, const wi_module *module, wi_cursor *cursor);

#endif /* WI_CODE_SCAN_INTERNAL_H_ */
