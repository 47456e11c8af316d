/* Scanning the items of sections outside code. */
#ifndef WI_CODE_SCAN_ITEMS_H_
#define WI_CODE_SCAN_ITEMS_H_

#include "code/scan.h"

/*
 * Sections other than code that are vectors of items, which may hold function indices or have a
 * form to check: table, memory, tag, global, export, start, element, data. Scans the item at the
 * cursor and moves past it; the start section is one item, the others begin with their number of
 * items, which the caller reads.
 */
bool wi_scan_has_items(wi_section_id id);
bool wi_scan_item(wi_scan *scan, const wi_module *module, wi_section_id id, wi_cursor *cursor);

#endif /* WI_CODE_SCAN_ITEMS_H_ */
