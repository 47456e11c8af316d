/* The files that a line table names. */
#ifndef WI_DEBUG_FILE_TABLE_H_
#define WI_DEBUG_FILE_TABLE_H_

#include "debug/dwarf.h"

#define WI_DWARF_MAX_TEXT_SIZE ((size_t)1 << 16) /* bytes; longer ones are none */

/* A text in a section, without the zero byte at its end. */
typedef struct wi_dwarf_text {
  const uint8_t *data; /* borrowed; NULL: none */
  uint32_t size;
} wi_dwarf_text;

/*
 * Where a text begins whose end is looked for when it is used: what is not used may be named again
 * and again.
 */
typedef struct wi_dwarf_text_start {
  const uint8_t *data; /* borrowed; NULL: none */
  uint32_t room;       /* bytes in which it ends, if it does */
} wi_dwarf_text_start;

typedef struct wi_dwarf_file {
  wi_dwarf_text_start name;
  uint64_t folder; /* index */
} wi_dwarf_file;

/* Zero it before, clear it after. */
typedef struct wi_dwarf_files {
  WI_ARRAY(wi_dwarf_file, items);
  WI_ARRAY(wi_dwarf_text_start, folders);
  uint16_t version;
  uint64_t read_count; /* parts of entries that the last table had, read or not */
} wi_dwarf_files;

void wi_dwarf_files_clear(wi_dwarf_files *files);

/* Reads the table at `offset` of .debug_line in place of what was there; false, with none, on
 * failure. */
bool wi_dwarf_files_load(wi_dwarf_files *files, const wi_dwarf_sections *sections, uint64_t offset);

/*
 * Writes the path of file `index`, as attributes give it, to `path`, at most `size` bytes with the
 * terminator. `folder` is the unit's own, which relative names count from. False where there is no
 * such file or no room.
 */
bool wi_dwarf_files_path(const wi_dwarf_files *files, uint64_t index, wi_dwarf_text folder,
                         char *path, size_t size);

/*
 * The text at the cursor, which is of that form. `indexes` is where the unit's part of
 * .debug_str_offsets begins.
 */
wi_dwarf_text wi_dwarf_text_read(wi_cursor *cursor, uint16_t form, const wi_dwarf_unit *unit,
                                 const wi_dwarf_sections *sections, uint64_t indexes);

#endif /* WI_DEBUG_FILE_TABLE_H_ */
