/* The source map of a script: where its code came from. */
#ifndef WI_DEBUG_SCRIPT_MAP_H_
#define WI_DEBUG_SCRIPT_MAP_H_

#include "support/array.h"
#include "support/buffer.h"
#include "support/error.h"

/* The code from a position up to the next row. Lines and columns start at 1. */
typedef struct wi_script_row {
  uint32_t line, column;
  uint32_t path; /* of the source, in the texts; WI_NO_PATH: unknown */
  uint32_t source_line, source_column;
  uint32_t name; /* in the source, in the texts; WI_NO_PATH: none */
} wi_script_row;

typedef struct wi_script_map {
  WI_ARRAY(wi_script_row, rows); /* by position */
  wi_buffer texts;               /* in UTF-8, each NUL-terminated */
} wi_script_map;

/*
 * Reads a map. Relative sources are relative to `folder`. The caller frees the result. Returns NULL
 * and fills in *error if out of memory or if the map is malformed.
 */
wi_script_map *wi_script_map_read(const uint8_t *text, uint32_t size, const char *folder,
                                  wi_error *error);
void wi_script_map_free(wi_script_map *map); /* NULL is allowed */

/* Returns the row of a position, or NULL if no row of its line is at or before it. */
const wi_script_row *wi_script_map_find(const wi_script_map *map, uint32_t line, uint32_t column);

/* The text of a path or name; NULL for WI_NO_PATH. */
const char *wi_script_map_text(const wi_script_map *map, uint32_t offset);

#endif /* WI_DEBUG_SCRIPT_MAP_H_ */
