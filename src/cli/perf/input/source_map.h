/* The lines of a module whose source map is in it or beside it. */
#ifndef WI_CLI_PERF_INPUT_SOURCE_MAP_H_
#define WI_CLI_PERF_INPUT_SOURCE_MAP_H_

#include "debug/line_table.h"

/*
 * Reads the map that the module at `path` has by its section sourceMappingURL: a data: URL, or a
 * file of that name in the module's own folder and in no other. The caller frees the table; NULL
 * where there is none or it cannot be read, and where the module has DWARF, which says more.
 */
wi_line_table *cli_source_map_lines(const wi_module *module, const char *path);

#endif /* WI_CLI_PERF_INPUT_SOURCE_MAP_H_ */
