/* The line table that a source map (ECMA-426) stands for. */
#ifndef WI_DEBUG_SOURCE_MAP_LINES_H_
#define WI_DEBUG_SOURCE_MAP_LINES_H_

#include "debug/line_table.h"

/*
 * Reads the map of `size` bytes at `text`, plain or indexed. Relative sources count from `folder`,
 * which may be "". No row reaches from one function into the next one. The caller frees the table;
 * NULL, with *error filled in: memory ran out, or the map is malformed (offsets count from `text`).
 */
wi_line_table *wi_line_table_of_source_map(const wi_module *module, const uint8_t *text,
                                           uint32_t size, const char *folder, wi_error *error);

#endif /* WI_DEBUG_SOURCE_MAP_LINES_H_ */
