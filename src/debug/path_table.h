/* Paths of the files of line tables, as texts, each written once for a unit. */
#ifndef WI_DEBUG_PATH_TABLE_H_
#define WI_DEBUG_PATH_TABLE_H_

#include "debug/file_table.h"
#include "support/buffer.h"

#define WI_NO_PATH UINT32_MAX

typedef struct wi_path_item {
  uint32_t unit; /* the number of the last one that asked, from 1 on */
  uint32_t path; /* of its file */
} wi_path_item;

/* Zero it before, clear it after. */
typedef struct wi_path_table {
  WI_ARRAY(wi_path_item, items); /* per file */
  uint32_t unit_count;           /* those that are done */
} wi_path_table;

void wi_path_table_clear(wi_path_table *table);

/* Another unit's files follow. */
void wi_path_table_reset(wi_path_table *table);

/*
 * The offset in `texts` of the path of file `index`, which is appended where it is new, in UTF-8
 * and with a terminator; WI_NO_PATH where there is none. `folder` is the unit's own.
 */
uint32_t wi_path_table_find(wi_path_table *table, const wi_dwarf_files *files, uint64_t index,
                            wi_dwarf_text folder, wi_buffer *texts);

/* The same for any text; WI_NO_PATH for an empty one, one that is no UTF-8, or far too long. */
uint32_t wi_path_table_add(wi_buffer *texts, const uint8_t *text, size_t size);

#endif /* WI_DEBUG_PATH_TABLE_H_ */
