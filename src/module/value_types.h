/*
 * Skips encoded types (core specification, 5.3 Types).
 *
 * Each function moves the cursor past one item, or fails it: as malformed if no version of
 * WebAssembly defines the byte, as unsupported if only an unsettled proposal does.
 */
#ifndef WI_MODULE_VALUE_TYPES_H_
#define WI_MODULE_VALUE_TYPES_H_

#include "support/cursor.h"

void wi_skip_value_type(wi_cursor *cursor);
void wi_skip_reference_type(wi_cursor *cursor);
void wi_skip_heap_type(wi_cursor *cursor);
void wi_skip_block_type(wi_cursor *cursor);
void wi_skip_global_type(wi_cursor *cursor);

/*
 * Skips a field of a struct or array. Returns its size in bytes; a reference counts 4, as packed by
 * engines.
 */
uint32_t wi_field_type_size(wi_cursor *cursor);

/* The name of the type of a field that begins with that byte; "ref" for all references. */
const char *wi_field_type_name(uint8_t byte);

/* Flags of limits, and the sets that tables and memories allow. */
enum {
  WI_LIMITS_MAXIMUM = 1,
  WI_LIMITS_SHARED = 2,
  WI_LIMITS_64_BITS = 4,
  WI_LIMITS_PAGE_SIZE = 8,
  WI_LIMITS_OF_TABLE = WI_LIMITS_MAXIMUM | WI_LIMITS_64_BITS,
  WI_LIMITS_OF_MEMORY = WI_LIMITS_OF_TABLE | WI_LIMITS_SHARED | WI_LIMITS_PAGE_SIZE
};
void wi_skip_limits(wi_cursor *cursor, uint8_t known);

typedef struct wi_limits {
  uint8_t flags;
  uint64_t minimum, maximum; /* pages; without a maximum: UINT64_MAX */
  uint64_t page_size;        /* bytes */
} wi_limits;
wi_limits wi_read_limits(wi_cursor *cursor, uint8_t known);

#endif /* WI_MODULE_VALUE_TYPES_H_ */
