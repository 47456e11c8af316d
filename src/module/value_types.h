/*
 * Reading past encoded types (core specification, 5.3 Types).
 *
 * Each function moves the cursor behind one item, or fails it: malformed where no version of
 * WebAssembly knows the byte, unsupported where only an unsettled proposal does.
 */
#ifndef WI_MODULE_VALUE_TYPES_H_
#define WI_MODULE_VALUE_TYPES_H_

#include "support/cursor.h"

void wi_skip_value_type(wi_cursor *cursor);
void wi_skip_reference_type(wi_cursor *cursor);
void wi_skip_heap_type(wi_cursor *cursor);
void wi_skip_block_type(wi_cursor *cursor);
void wi_skip_limits(wi_cursor *cursor);     /* of a memory or a table */
void wi_skip_mutability(wi_cursor *cursor); /* of a global or a field */
void wi_skip_global_type(wi_cursor *cursor);

#endif /* WI_MODULE_VALUE_TYPES_H_ */
