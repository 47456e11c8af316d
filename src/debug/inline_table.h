/* Functions that code was inlined from, according to the module's DWARF. */
#ifndef WI_DEBUG_INLINE_TABLE_H_
#define WI_DEBUG_INLINE_TABLE_H_

#include "debug/path_table.h"

#define WI_NO_FRAME UINT32_MAX

/* A function that was inlined somewhere. */
typedef struct wi_inline_function {
  uint32_t origin; /* offset of its entry in .debug_info */
  uint32_t name;   /* offset in the texts, not demangled; or WI_NO_PATH */
  uint32_t path;   /* its file, an offset in the texts; or WI_NO_PATH */
  uint32_t line;   /* its first line; 0: unknown */
} wi_inline_function;

/* One inlined call. */
typedef struct wi_inline_frame {
  uint32_t parent;   /* the enclosing frame, which has a lower index; WI_NO_FRAME: the module's
                        function */
  uint32_t function; /* index */
  uint32_t call_path, call_line, call_column; /* call site; WI_NO_PATH and 0: unknown */
} wi_inline_frame;

/* The code from `address` up to the next row belongs to this frame and all enclosing ones. */
typedef struct wi_inline_row {
  uint32_t address; /* offset in the code section's payload */
  uint32_t frame;   /* the innermost frame; WI_NO_FRAME: not inlined */
} wi_inline_row;

typedef struct wi_inline_table {
  WI_ARRAY(wi_inline_function, functions); /* by origin */
  WI_ARRAY(wi_inline_frame, frames);
  WI_ARRAY(wi_inline_row, rows); /* by address, without duplicates */
  wi_buffer texts;
} wi_inline_table;

/*
 * Reads all units of the module, ignoring code that the linker removed and everything unreadable.
 * Time and memory are proportional to the sections. The caller frees the result. NULL: out of
 * memory.
 */
wi_inline_table *wi_inline_table_of_module(const wi_module *module);

void wi_inline_table_free(wi_inline_table *table); /* NULL is allowed */

/* Returns the innermost frame of the code at that address, or WI_NO_FRAME. */
uint32_t wi_inline_table_find(const wi_inline_table *table, uint32_t address);

/* Returns a name or path; NULL for WI_NO_PATH. Valid as long as the table. */
const char *wi_inline_table_text(const wi_inline_table *table, uint32_t text);

#endif /* WI_DEBUG_INLINE_TABLE_H_ */
