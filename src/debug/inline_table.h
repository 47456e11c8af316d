/* Which functions the code was inlined from, as the module's DWARF says. */
#ifndef WI_DEBUG_INLINE_TABLE_H_
#define WI_DEBUG_INLINE_TABLE_H_

#include "debug/path_table.h"

#define WI_NO_FRAME UINT32_MAX

/* A function that was inlined somewhere. */
typedef struct wi_inline_function {
  uint32_t origin; /* offset of its entry in .debug_info */
  uint32_t name;   /* offset in the texts, raw; or WI_NO_PATH */
  uint32_t path;   /* of the file that it stands in; or WI_NO_PATH */
  uint32_t line;   /* where it begins; 0: not known */
} wi_inline_function;

/* One place that it was inlined at. */
typedef struct wi_inline_frame {
  uint32_t parent;   /* the frame around it, of a lower index; WI_NO_FRAME: the module's function */
  uint32_t function; /* index */
  uint32_t call_path, call_line, call_column; /* where the call stood: WI_NO_PATH, 0: not known */
} wi_inline_frame;

/* The code from `address` up to the next row's is of that frame, and of all around it. */
typedef struct wi_inline_row {
  uint32_t address; /* offset in the code section's payload */
  uint32_t frame;   /* the innermost one; WI_NO_FRAME: nothing was inlined here */
} wi_inline_row;

typedef struct wi_inline_table {
  WI_ARRAY(wi_inline_function, functions); /* by origin */
  WI_ARRAY(wi_inline_frame, frames);
  WI_ARRAY(wi_inline_row, rows); /* by address, no two of one address */
  wi_buffer texts;
} wi_inline_table;

/*
 * Reads what all units of the module say, and leaves out what the linker removed and what cannot be
 * read. Takes time and memory in proportion to the sections. The caller frees it; NULL: out of
 * memory.
 */
wi_inline_table *wi_inline_table_of_module(const wi_module *module);

void wi_inline_table_free(wi_inline_table *table); /* NULL is allowed */

/* The innermost frame of the code at that address, or WI_NO_FRAME. */
uint32_t wi_inline_table_find(const wi_inline_table *table, uint32_t address);

/* A name or a path; NULL for WI_NO_PATH. Valid as long as the table. */
const char *wi_inline_table_text(const wi_inline_table *table, uint32_t text);

#endif /* WI_DEBUG_INLINE_TABLE_H_ */
