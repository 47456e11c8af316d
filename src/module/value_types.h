/*
 * Reading past encoded types (core specification, 5.3 Types).
 *
 * Each function moves the cursor past one item, or fails it: malformed where no version of
 * WebAssembly knows the byte, unsupported where only an unsettled proposal does.
 */
#ifndef WI_MODULE_VALUE_TYPES_H_
#define WI_MODULE_VALUE_TYPES_H_

#include "support/cursor.h"

void wi_skip_value_type(wi_cursor *cursor);
void wi_skip_reference_type(wi_cursor *cursor);
void wi_skip_heap_type(wi_cursor *cursor);
void wi_skip_block_type(wi_cursor *cursor);
void wi_skip_mutability(wi_cursor *cursor); /* of a global or a field */
void wi_skip_global_type(wi_cursor *cursor);

/* Of a struct or an array. How many bytes such a field takes: a reference 4, as engines pack
 * them. */
uint32_t wi_field_type_size(wi_cursor *cursor);

/* Flags of limits: those that are known to a table, and to a memory. */
enum {
  WI_LIMITS_MAXIMUM = 1,
  WI_LIMITS_SHARED = 2,
  WI_LIMITS_64_BITS = 4,
  WI_LIMITS_PAGE_SIZE = 8,
  WI_LIMITS_OF_TABLE = WI_LIMITS_MAXIMUM | WI_LIMITS_64_BITS,
  WI_LIMITS_OF_MEMORY = WI_LIMITS_OF_TABLE | WI_LIMITS_SHARED | WI_LIMITS_PAGE_SIZE
};
void wi_skip_limits(wi_cursor *cursor, uint8_t known);

#endif /* WI_MODULE_VALUE_TYPES_H_ */
