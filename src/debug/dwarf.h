/*
 * The basics of DWARF: sections, numbers, units, abbreviations, forms. Versions 2 to 5, 32-bit and
 * 64-bit.
 *
 * The input is not trusted: a cursor fails at the first error.
 */
#ifndef WI_DEBUG_DWARF_H_
#define WI_DEBUG_DWARF_H_

#include "debug/dwarf_constants.h"
#include "module/module.h"

/* The sections, named without ".debug_". */
#define WI_DWARF_SECTIONS(X)                                                                       \
  X(INFO, "info")                                                                                  \
  X(TYPES, "types")                                                                                \
  X(ABBREV, "abbrev")                                                                              \
  X(LINE, "line")                                                                                  \
  X(RANGES, "ranges")                                                                              \
  X(RNGLISTS, "rnglists")                                                                          \
  X(LOC, "loc")                                                                                    \
  X(LOCLISTS, "loclists")                                                                          \
  X(ADDR, "addr")                                                                                  \
  X(ARANGES, "aranges")                                                                            \
  X(MACRO, "macro")                                                                                \
  X(STR, "str")                                                                                    \
  X(STR_OFFSETS, "str_offsets")                                                                    \
  X(LINE_STR, "line_str")                                                                          \
  X(NAMES, "names")                                                                                \
  X(MACINFO, "macinfo")                                                                            \
  X(PUBNAMES, "pubnames")                                                                          \
  X(PUBTYPES, "pubtypes")                                                                          \
  X(GNU_PUBNAMES, "gnu_pubnames")                                                                  \
  X(GNU_PUBTYPES, "gnu_pubtypes")                                                                  \
  X(GDB_SCRIPTS, "gdb_scripts")

typedef enum wi_dwarf_section {
#define WI_DWARF_SECTION_ENUM(id, name) WI_DWARF_##id,
  WI_DWARF_SECTIONS(WI_DWARF_SECTION_ENUM)
#undef WI_DWARF_SECTION_ENUM
      WI_DWARF_SECTION_COUNT
} wi_dwarf_section;

/* Returns the section with that name (with ".debug_"), or WI_DWARF_SECTION_COUNT. */
wi_dwarf_section wi_dwarf_section_find(const uint8_t *name, size_t size);

/* "info" and so on; static. */
const char *wi_dwarf_section_name(wi_dwarf_section section);

/* Contents of a section; borrowed. */
typedef struct wi_dwarf_bytes {
  const uint8_t *data;
  uint32_t size;
} wi_dwarf_bytes;

typedef struct wi_dwarf_sections {
  wi_dwarf_bytes section[WI_DWARF_SECTION_COUNT];
} wi_dwarf_sections;

/* Fills in the module's sections; the first one if several have the same name. */
void wi_dwarf_sections_of(const wi_module *module, wi_dwarf_sections *sections);

/*
 * Returns a cursor over the section from `offset` to its end; it has failed if `offset` is past the
 * end.
 */
wi_cursor wi_dwarf_cursor(wi_dwarf_bytes bytes, uint64_t offset, wi_error *error);

/* ---- Numbers ------------------------------------------------------------ */

/* Reads a little endian number of 1 to 8 bytes. */
static inline uint64_t wi_dwarf_get(const uint8_t *bytes, unsigned size) {
  uint64_t value = 0;
  for (unsigned i = size; i > 0; i--)
    value = value << 8 | bytes[i - 1];
  return value;
}

static inline void wi_dwarf_set(uint8_t *bytes, unsigned size, uint64_t value) {
  for (unsigned i = 0; i < size; i++, value >>= 8)
    bytes[i] = (uint8_t)value;
}

static inline uint64_t wi_dwarf_fixed(wi_cursor *cursor, unsigned size) {
  if (wi_cursor_left(cursor) < size) {
    wi_cursor_truncated(cursor, "number");
    return 0;
  }
  cursor->offset += size;
  return wi_dwarf_get(cursor->bytes + cursor->offset - size, size);
}

static inline uint64_t wi_dwarf_uleb(wi_cursor *cursor) {
  if (cursor->offset < cursor->end && cursor->bytes[cursor->offset] < 0x80)
    return cursor->bytes[cursor->offset++];
  return wi_cursor_unsigned(cursor, 64);
}

/* Skips a LEB128 of any length. */
void wi_dwarf_skip_leb(wi_cursor *cursor);

/* Skips a NUL-terminated text. */
void wi_dwarf_skip_text(wi_cursor *cursor);

/*
 * Reads the length at the start of a unit, table or set, and limits the cursor to its contents.
 * *offset_size is set to 4 or 8. Returns the offset of the next unit.
 */
uint32_t wi_dwarf_length(wi_cursor *cursor, uint8_t *offset_size);

/* ---- Units and abbreviations -------------------------------------------- */

/* The header of a unit in .debug_info or .debug_types. */
typedef struct wi_dwarf_unit {
  uint32_t offset; /* offset of the header in its section */
  uint32_t dies;   /* offset of the first entry */
  uint32_t end;    /* offset just past the unit */
  uint64_t abbreviations;
  uint16_t version;
  uint8_t type; /* DW_UT_... */
  uint8_t address_size;
  uint8_t offset_size;
} wi_dwarf_unit;

/*
 * Reads the header at the cursor, then limits the cursor to the unit and moves it to the first
 * entry. If this fails but unit->end is not 0, the unit's length is valid.
 */
bool wi_dwarf_unit_read(wi_cursor *cursor, bool types, wi_dwarf_unit *unit);

typedef struct wi_dwarf_spec {
  uint16_t name; /* DW_AT_..., 0xffff if larger */
  uint16_t form;
  int64_t constant; /* of DW_FORM_implicit_const */
} wi_dwarf_spec;

typedef struct wi_dwarf_abbreviation {
  uint64_t code;
  uint32_t first; /* index in specs */
  uint32_t count;
  uint16_t tag;
  bool children;
} wi_dwarf_abbreviation;

/*
 * A table of abbreviations. Zero it before use; clear it afterwards. It is reused by units that
 * share a table.
 */
typedef struct wi_dwarf_abbreviations {
  WI_ARRAY(wi_dwarf_abbreviation, items); /* in increasing order of code */
  WI_ARRAY(wi_dwarf_spec, specs);
  uint64_t read;   /* bytes read in total: limits repeated reading of shared tables */
  uint64_t offset; /* of the table that is loaded */
  bool loaded;
} wi_dwarf_abbreviations;

void wi_dwarf_abbreviations_clear(wi_dwarf_abbreviations *table);

/* Loads the table at `offset` in .debug_abbrev, unless it is already loaded. */
bool wi_dwarf_abbreviations_load(wi_dwarf_abbreviations *table, wi_dwarf_bytes section,
                                 uint64_t offset, wi_error *error);

/* Returns the abbreviation with that code, or NULL. */
const wi_dwarf_abbreviation *wi_dwarf_abbreviation_find(const wi_dwarf_abbreviations *table,
                                                        uint64_t code);

/* Resolves DW_FORM_indirect by reading the actual form at the cursor. */
uint16_t wi_dwarf_form(wi_cursor *cursor, uint16_t form);

/*
 * Skips a value of that form, which is not DW_FORM_indirect. Fails the cursor if the form is
 * unknown.
 */
void wi_dwarf_form_skip(wi_cursor *cursor, uint16_t form, const wi_dwarf_unit *unit);

/*
 * For a form that is a number, offset, index or address, sets *size to its size in bytes, or 0 if
 * it is a LEB128. Returns false for all other forms.
 */
bool wi_dwarf_form_size(uint16_t form, const wi_dwarf_unit *unit, unsigned *size);

/* Reads a value of such a form. */
uint64_t wi_dwarf_form_read(wi_cursor *cursor, uint16_t form, const wi_dwarf_unit *unit);

/* Whether the form is an index into .debug_addr. */
bool wi_dwarf_form_is_address_index(uint16_t form);

#endif /* WI_DEBUG_DWARF_H_ */
