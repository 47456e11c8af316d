/* The line table of a source map (ECMA-426). */
#ifndef WI_DEBUG_SOURCE_MAP_LINES_H_
#define WI_DEBUG_SOURCE_MAP_LINES_H_

#include "debug/line_table.h"

/*
 * Reads the map of `size` bytes at `text`, which may have sections. Relative sources are relative
 * to `folder`, which may be "". No row extends from one function into the next. The caller frees
 * the table. Returns NULL and fills in *error if out of memory or if the map is malformed; offsets
 * are relative to `text`.
 */
wi_line_table *wi_line_table_of_source_map(const wi_module *module, const uint8_t *text,
                                           uint32_t size, const char *folder, wi_error *error);

#endif /* WI_DEBUG_SOURCE_MAP_LINES_H_ */
