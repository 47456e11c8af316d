/* The code ranges that an entry covers. */
#ifndef WI_DEBUG_RANGES_H_
#define WI_DEBUG_RANGES_H_

#include "debug/unit_reader.h"

/* From `start` up to, but excluding, `end`: offsets in the code section's payload. */
typedef struct wi_code_range {
  uint32_t start, end;
} wi_code_range;

/* Zero it before use; clear it afterwards. */
typedef struct wi_code_ranges {
  WI_ARRAY(wi_code_range, items);
} wi_code_ranges;

void wi_code_ranges_clear(wi_code_ranges *ranges);

/*
 * Replaces the contents with the ranges of an entry in the reader's unit. Ignores ranges that are
 * empty, start at 0 or end past `code_size`: the linker removed their code. Returns false if out of
 * memory.
 */
bool wi_code_ranges_read(wi_code_ranges *ranges, wi_unit_reader *reader,
                         const wi_dwarf_entry *entry, uint32_t code_size);

#endif /* WI_DEBUG_RANGES_H_ */
