/* Iterates over the units of a module's .debug_info and their entries. */
#ifndef WI_DEBUG_UNIT_READER_H_
#define WI_DEBUG_UNIT_READER_H_

#include "debug/unit_root.h"

/* Clear it after use. Do not move it: the cursor points to the error. */
typedef struct wi_unit_reader {
  wi_dwarf_sections sections;
  wi_dwarf_unit unit; /* the current unit */
  wi_dwarf_root root;
  wi_dwarf_files files; /* of the unit's line table */
  wi_dwarf_abbreviations abbreviations;
  wi_cursor in;         /* the unit's remaining entries */
  uint64_t files_lines; /* offset of the line table that `files` was read from */
  uint64_t work;        /* steps so far: limits repeated reading of shared parts */
  uint64_t most_work;
  wi_error error;
} wi_unit_reader;

/* The attributes read from an entry; 0 if it lacks one. */
typedef struct wi_dwarf_entry {
  uint32_t offset; /* in .debug_info */
  uint16_t tag;    /* 0: end of a list of siblings */
  bool has_children;
  bool has_low, has_file, has_line;
  bool high_is_size;    /* `high` is relative to `low` */
  uint16_t ranges_form; /* 0: none */
  uint64_t low, high, ranges;
  uint64_t file, line;
  uint64_t call_file, call_line, call_column;
  uint64_t origin; /* offset in .debug_info of the entry with more attributes; 0: none */
  wi_dwarf_text name, linkage_name;
} wi_dwarf_entry;

void wi_unit_reader_init(wi_unit_reader *reader, const wi_module *module);
void wi_unit_reader_clear(wi_unit_reader *reader);

/*
 * Moves to the entries of the next readable unit, and reads its root and files. Returns false after
 * the last one.
 */
bool wi_unit_reader_next(wi_unit_reader *reader);

/* Moves to the unit at that offset. Returns false if there is none or it is unreadable. */
bool wi_unit_reader_open(wi_unit_reader *reader, uint32_t offset);

/*
 * Reads the entry at the cursor. Returns false at the end of the unit, or if the entry is
 * unreadable.
 */
bool wi_unit_reader_entry(wi_unit_reader *reader, wi_dwarf_entry *entry);

/* Reads the entry at that offset, which must be in the current unit; the cursor does not move. */
bool wi_unit_reader_entry_at(wi_unit_reader *reader, uint64_t offset, wi_dwarf_entry *entry);

/*
 * Fills in the name and place that *found lacks from its chain of origins, as far as these are in
 * the current unit. Afterwards found->origin is 0 or refers to another unit.
 */
void wi_unit_reader_complete(wi_unit_reader *reader, wi_dwarf_entry *found);

#endif /* WI_DEBUG_UNIT_READER_H_ */
