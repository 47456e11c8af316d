/* What the first entry of a unit says of where everything else is. */
#ifndef WI_DEBUG_UNIT_ROOT_H_
#define WI_DEBUG_UNIT_ROOT_H_

#include "debug/file_table.h"

#define WI_DWARF_NO_LINES UINT64_MAX

typedef struct wi_dwarf_root {
  uint64_t address_base; /* of the unit's part of .debug_addr */
  uint64_t ranges_base;  /* of .debug_rnglists: its table of offsets */
  uint64_t low;          /* the address that ranges count from */
  uint64_t text_base;    /* of .debug_str_offsets */
  uint64_t lines;        /* offset of its line table, or WI_DWARF_NO_LINES */
  uint32_t attribute_count;
  wi_dwarf_text folder; /* which relative names of files count from */
} wi_dwarf_root;

/*
 * Reads the entry at the cursor, which stands at the unit's first one. What is missing or cannot be
 * read gets the value that DWARF gives it.
 */
void wi_dwarf_root_read(wi_dwarf_root *root, wi_cursor cursor, const wi_dwarf_unit *unit,
                        const wi_dwarf_abbreviations *abbreviations,
                        const wi_dwarf_sections *sections);

/*
 * The address of an attribute, or of an index into .debug_addr, as its form says; 0 where there is
 * none.
 */
uint64_t wi_dwarf_address(uint64_t value, uint16_t form, const wi_dwarf_unit *unit,
                          const wi_dwarf_root *root, const wi_dwarf_sections *sections);

#endif /* WI_DEBUG_UNIT_ROOT_H_ */
