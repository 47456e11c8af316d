/* The units of a module's .debug_info one after the other, and their entries. */
#ifndef WI_DEBUG_UNIT_READER_H_
#define WI_DEBUG_UNIT_READER_H_

#include "debug/unit_root.h"

/* Clear it after use. It must not be moved: the cursor refers to the error. */
typedef struct wi_unit_reader {
  wi_dwarf_sections sections;
  wi_dwarf_unit unit; /* at hand */
  wi_dwarf_root root;
  wi_dwarf_files files; /* of the unit's line table */
  wi_dwarf_abbreviations abbreviations;
  wi_cursor in;         /* the unit's entries that are not read yet */
  uint64_t files_lines; /* offset of the line table whose files are in `files` */
  uint64_t work; /* steps so far: units may share what they name, but not read it without end */
  uint64_t most_work;
  wi_error error;
} wi_unit_reader;

/* What is asked of an entry, 0 where it does not say. */
typedef struct wi_dwarf_entry {
  uint32_t offset; /* in .debug_info */
  uint16_t tag;    /* 0: the end of a row of siblings */
  bool has_children;
  bool has_low, has_file, has_line;
  bool high_is_size;    /* `high` counts from `low` */
  uint16_t ranges_form; /* 0: none */
  uint64_t low, high, ranges;
  uint64_t file, line;
  uint64_t call_file, call_line, call_column;
  uint64_t origin; /* offset in .debug_info of the entry that says more of it, 0: none */
  wi_dwarf_text name, linkage_name;
} wi_dwarf_entry;

void wi_unit_reader_init(wi_unit_reader *reader, const wi_module *module);
void wi_unit_reader_clear(wi_unit_reader *reader);

/*
 * Goes to the entries of the next unit that can be read, with its root and files. False after the
 * last one.
 */
bool wi_unit_reader_next(wi_unit_reader *reader);

/* Goes to the unit at that offset. False where there is none that can be read. */
bool wi_unit_reader_open(wi_unit_reader *reader, uint32_t offset);

/* Reads the entry at the cursor. False at the end of the unit, or where nothing can be read. */
bool wi_unit_reader_entry(wi_unit_reader *reader, wi_dwarf_entry *entry);

/* Reads the entry at that offset, which has to be of the unit; the cursor stays. */
bool wi_unit_reader_entry_at(wi_unit_reader *reader, uint64_t offset, wi_dwarf_entry *entry);

/*
 * Fills in what *found itself does not say of its name and its place from the entries that it is
 * made from, as far as these are of the unit. found->origin is 0 then, or of another unit.
 */
void wi_unit_reader_complete(wi_unit_reader *reader, wi_dwarf_entry *found);

#endif /* WI_DEBUG_UNIT_READER_H_ */
