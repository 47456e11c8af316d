/* The first entry of a unit, which says where its other parts are. */
#ifndef WI_DEBUG_UNIT_ROOT_H_
#define WI_DEBUG_UNIT_ROOT_H_

#include "debug/file_table.h"

#define WI_DWARF_NO_LINES UINT64_MAX

typedef struct wi_dwarf_root {
  uint64_t address_base; /* start of the unit's part in .debug_addr */
  uint64_t ranges_base;  /* start of its offset table in .debug_rnglists */
  uint64_t low;          /* base address of ranges */
  uint64_t text_base;    /* start of the unit's part in .debug_str_offsets */
  uint64_t lines;        /* offset of the unit's line table, or WI_DWARF_NO_LINES */
  uint32_t attribute_count;
  wi_dwarf_text folder; /* relative file names are relative to it */
} wi_dwarf_root;

/*
 * Reads the unit's first entry, which is at the cursor. Missing or unreadable attributes get
 * DWARF's defaults.
 */
void wi_dwarf_root_read(wi_dwarf_root *root, wi_cursor cursor, const wi_dwarf_unit *unit,
                        const wi_dwarf_abbreviations *abbreviations,
                        const wi_dwarf_sections *sections);

/*
 * Returns an address attribute, which may be an index into .debug_addr depending on its form; 0 if
 * the index is out of range.
 */
uint64_t wi_dwarf_address(uint64_t value, uint16_t form, const wi_dwarf_unit *unit,
                          const wi_dwarf_root *root, const wi_dwarf_sections *sections);

#endif /* WI_DEBUG_UNIT_ROOT_H_ */
