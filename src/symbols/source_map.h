/* Source lines of a module from a source map in or beside it. */
#ifndef WI_SYMBOLS_SOURCE_MAP_H_
#define WI_SYMBOLS_SOURCE_MAP_H_

#include "debug/line_table.h"
#include "support/file_reader.h"

/*
 * Reads the map that section sourceMappingURL of the module at `path` refers to: a data: URL, or a
 * file in the module's own directory, which `read` reads. The caller frees the table. Returns NULL
 * if there is none, if it is unreadable, or if the module has DWARF, which is more precise.
 */
wi_line_table *wi_source_map_read(const wi_module *module, const char *path, wi_file_reader *read);

#endif /* WI_SYMBOLS_SOURCE_MAP_H_ */
