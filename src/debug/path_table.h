/* Paths of the files in line tables, each stored once per unit. */
#ifndef WI_DEBUG_PATH_TABLE_H_
#define WI_DEBUG_PATH_TABLE_H_

#include "debug/file_table.h"
#include "support/buffer.h"

#define WI_NO_PATH UINT32_MAX

typedef struct wi_path_item {
  uint32_t unit; /* the last unit that used the file, from 1 */
  uint32_t path; /* path of the file */
} wi_path_item;

/* Zero it before use; clear it afterwards. */
typedef struct wi_path_table {
  WI_ARRAY(wi_path_item, items); /* per file */
  uint32_t unit_count;           /* number of finished units */
} wi_path_table;

void wi_path_table_clear(wi_path_table *table);

/* Starts another unit, which has other files. */
void wi_path_table_reset(wi_path_table *table);

/*
 * Returns the offset in `texts` of the path of file `index`; a new path is appended, in UTF-8 and
 * NUL-terminated. Returns WI_NO_PATH if there is none. `folder` is the unit's directory.
 */
uint32_t wi_path_table_find(wi_path_table *table, const wi_dwarf_files *files, uint64_t index,
                            wi_dwarf_text folder, wi_buffer *texts);

/* Same for any text. Returns WI_NO_PATH if it is empty, not UTF-8, or far too long. */
uint32_t wi_path_table_add(wi_buffer *texts, const uint8_t *text, size_t size);

#endif /* WI_DEBUG_PATH_TABLE_H_ */
