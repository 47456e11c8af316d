/* Which line of the source the code comes from, as the module's DWARF or a source map says. */
#ifndef WI_DEBUG_LINE_TABLE_H_
#define WI_DEBUG_LINE_TABLE_H_

#include "debug/path_table.h"

/* The code from `address` up to the next row's. */
typedef struct wi_line_row {
  uint32_t address; /* offset in the code section's payload */
  uint32_t path;    /* offset of the file's path in the texts, or WI_NO_PATH: nothing is known */
  uint32_t line;    /* 0: made by the compiler */
  uint32_t column;  /* 0: not known */
} wi_line_row;

/* A source that came with the table. */
typedef struct wi_source_content {
  uint32_t path;    /* as in rows */
  uint32_t content; /* offset in the contents */
} wi_source_content;

typedef struct wi_line_table {
  WI_ARRAY(wi_line_row, rows); /* by address; a row for each change, no two of one address */
  wi_buffer texts;             /* paths, in UTF-8, each with a terminator */
  WI_ARRAY(wi_source_content, sources);
  wi_buffer contents; /* in UTF-8, each with a terminator */
} wi_line_table;

/*
 * Reads all line tables that the units of the module name, and leaves out what the linker removed
 * and what cannot be read. The caller frees it; NULL: out of memory.
 */
wi_line_table *wi_line_table_of_module(const wi_module *module);

void wi_line_table_free(wi_line_table *table); /* NULL is allowed */

/* Brings rows into order; of several of one address one is left, which says something if any
 * does. */
void wi_line_table_sort(wi_line_table *table);

/* The row of the code at that offset in the module, or NULL where nothing is known of it. */
const wi_line_row *wi_line_table_find(const wi_line_table *table, const wi_module *module,
                                      uint32_t offset);

/* The first row of a body that says where the code is from, or NULL. */
const wi_line_row *wi_line_table_first(const wi_line_table *table, const wi_module *module,
                                       wi_span body);

/* The row's path; valid as long as the table. */
const char *wi_line_table_path(const wi_line_table *table, const wi_line_row *row);

#endif /* WI_DEBUG_LINE_TABLE_H_ */
