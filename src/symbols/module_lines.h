/* Costs of source lines, from a profile's block counts and its module's DWARF. */
#ifndef WI_SYMBOLS_MODULE_LINES_H_
#define WI_SYMBOLS_MODULE_LINES_H_

#include "debug/line_table.h"
#include "module/module.h"
#include "wasm_perf/profile.h"

/* Maps a function index of the profile to the module, or to WI_NO_FUNCTION. */
typedef uint32_t wi_function_map(const void *context, uint32_t function);

/*
 * Adds the lines and the mix of all functions with block counts to profile->lines. `module` is the original of
 * the instrumented module. `table` comes from a source map; NULL: use the module's DWARF. Returns
 * false if out of memory, or if the module is not the profile's; *reason then says so, else it is
 * NULL.
 */
bool wi_module_lines_add(wasm_perf_profile *profile, const wi_module *module,
                         const wi_line_table *table, wi_function_map *original, const void *context,
                         const char **reason);

#endif /* WI_SYMBOLS_MODULE_LINES_H_ */
