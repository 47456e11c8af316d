/*
 * Instructions that copy, fill or initialise as much as an operand says. Each counts as one
 * instruction, whatever its length, so memory profiles count the lengths.
 */
#ifndef WI_HOOKS_FOLLOW_BULK_H_
#define WI_HOOKS_FOLLOW_BULK_H_

#include "code/scan.h"

/* Makes scans record these instructions. */
void wi_bulk_want(wi_scan_wants *wants);

/* Whether a WI_SITE_OPCODE is one of them. The functions below require that. */
bool wi_bulk_is(const wi_site *site);

/* Whether its length, the last operand, is in elements of a table or an array; otherwise in bytes. */
bool wi_bulk_is_of_elements(const wi_site *site);

/* Whether its length is an i64. */
bool wi_bulk_is_64(const wi_module *module, const wi_site *site);

#endif /* WI_HOOKS_FOLLOW_BULK_H_ */
