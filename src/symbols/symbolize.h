/*
 * Adds names, places and lines from a file to a profile. The caller
 *
 *     1. reads the file               wi_symbol_file_read
 *     2. checks whether it fits       wi_symbol_fit_of
 *     3. completes the profile        wi_symbolize
 *     4. clears the file              wi_symbol_file_clear
 */
#ifndef WI_SYMBOLS_SYMBOLIZE_H_
#define WI_SYMBOLS_SYMBOLIZE_H_

#include "symbols/fit.h"

/*
 * Names the profile's functions from the file at `path`, adds their source locations and, if blocks
 * were counted, the costs of lines. If the module has no names, its external_debug_info is followed
 * to a file beside it, which `read` reads. A file that may belong to another build
 * (WI_SYMBOL_FIT_BY_INDEX) only names functions without a name, and adds no lines.
 *
 * Returns false if out of memory. *no_lines is set to the reason why there are no lines, or NULL.
 */
bool wi_symbolize(wasm_perf_profile *profile, const wi_symbol_file *file, const char *path,
                  wi_symbol_fit how, wi_file_reader *read, const char **no_lines);

#endif /* WI_SYMBOLS_SYMBOLIZE_H_ */
