/* The file names in a line table. */
#ifndef WI_DEBUG_FILE_TABLE_H_
#define WI_DEBUG_FILE_TABLE_H_

#include "debug/dwarf.h"

#define WI_DWARF_MAX_TEXT_SIZE ((size_t)1 << 16) /* bytes; longer texts are ignored */

/* A text in a section, without the terminating zero byte. */
typedef struct wi_dwarf_text {
  const uint8_t *data; /* borrowed; NULL: none */
  uint32_t size;
} wi_dwarf_text;

/*
 * Start of a text whose end is searched only when the text is used, because a table may name an
 * unused text many times.
 */
typedef struct wi_dwarf_text_start {
  const uint8_t *data; /* borrowed; NULL: none */
  uint32_t room;       /* size within which it must end */
} wi_dwarf_text_start;

typedef struct wi_dwarf_file {
  wi_dwarf_text_start name;
  uint64_t folder; /* index */
} wi_dwarf_file;

/* Zero it before use; clear it afterwards. */
typedef struct wi_dwarf_files {
  WI_ARRAY(wi_dwarf_file, items);
  WI_ARRAY(wi_dwarf_text_start, folders);
  uint16_t version;
  uint64_t read_count; /* parts of entries in the last table, including unread ones */
} wi_dwarf_files;

void wi_dwarf_files_clear(wi_dwarf_files *files);

/*
 * Replaces the contents with the table at `offset` in .debug_line. Returns false, with the table
 * empty, on failure.
 */
bool wi_dwarf_files_load(wi_dwarf_files *files, const wi_dwarf_sections *sections, uint64_t offset);

/*
 * Writes the path of file `index`, as numbered in attributes, to `path`: at most `size` bytes
 * including the terminator. `folder` is the unit's directory; relative names are relative to it.
 * Returns false if there is no such file or not enough room.
 */
bool wi_dwarf_files_path(const wi_dwarf_files *files, uint64_t index, wi_dwarf_text folder,
                         char *path, size_t size);

/*
 * Reads the text at the cursor, which has that form. `indexes` is the start of the unit's part in
 * .debug_str_offsets.
 */
wi_dwarf_text wi_dwarf_text_read(wi_cursor *cursor, uint16_t form, const wi_dwarf_unit *unit,
                                 const wi_dwarf_sections *sections, uint64_t indexes);

#endif /* WI_DEBUG_FILE_TABLE_H_ */
