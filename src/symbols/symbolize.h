/*
 * Names, places and lines for a profile, from a file that has them. What uses this
 *
 *     1. reads the file               wi_symbol_file_read
 *     2. asks whether it may be       wi_symbol_fit_of
 *     3. has the profile completed    wi_symbolize
 *     4. clears the file              wi_symbol_file_clear
 */
#ifndef WI_SYMBOLS_SYMBOLIZE_H_
#define WI_SYMBOLS_SYMBOLIZE_H_

#include "symbols/fit.h"

/*
 * Names the functions of a profile after the file at `path`, says where they stand in the source
 * and, where blocks were counted, what lines took. A module without names leads to the one beside
 * it that its external_debug_info names, which `read` reads. A file that may be of another build
 * (WI_SYMBOL_FIT_BY_INDEX) names only functions without a name, and no lines.
 *
 * False: out of memory. *no_lines is NULL, or says why there are no counts of lines.
 */
bool wi_symbolize(wasm_perf_profile *profile, const wi_symbol_file *file, const char *path,
                  wi_symbol_fit how, wi_file_reader *read, const char **no_lines);

#endif /* WI_SYMBOLS_SYMBOLIZE_H_ */
