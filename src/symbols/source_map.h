/* The lines of a module whose source map is in it or beside it. */
#ifndef WI_SYMBOLS_SOURCE_MAP_H_
#define WI_SYMBOLS_SOURCE_MAP_H_

#include "debug/line_table.h"
#include "support/file_reader.h"

/*
 * Reads the map that the module at `path` has by its section sourceMappingURL: a data: URL, or a
 * file of that name in the module's own folder and in no other, which `read` reads. The caller
 * frees the table; NULL where there is none or it cannot be read, and where the module has DWARF,
 * which says more.
 */
wi_line_table *wi_source_map_read(const wi_module *module, const char *path, wi_file_reader *read);

#endif /* WI_SYMBOLS_SOURCE_MAP_H_ */
