/* Scans the items of sections outside of code. */
#ifndef WI_CODE_SCAN_ITEMS_H_
#define WI_CODE_SCAN_ITEMS_H_

#include "code/scan.h"

/*
 * The sections other than code that are vectors of items with function indices or a form to
 * validate: table, memory, tag, global, export, start, element, data. wi_scan_item scans the item
 * at the cursor and moves past it. The start section is a single item; the others begin with an
 * item count, which the caller reads.
 */
bool wi_scan_has_items(wi_section_id id);
bool wi_scan_item(wi_scan *scan, const wi_module *module, wi_section_id id, wi_cursor *cursor);

#endif /* WI_CODE_SCAN_ITEMS_H_ */
