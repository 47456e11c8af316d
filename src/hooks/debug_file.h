/*
 * Modules with their debug information in a separate file, named by the section external_debug_info
 * (WebAssembly/tool-conventions, Debugging.md). Both are instrumented as one.
 */
#ifndef WI_HOOKS_DEBUG_FILE_H_
#define WI_HOOKS_DEBUG_FILE_H_

#include "support/error.h"

/*
 * wi_instrument for a core module with options->debug_file. The new debug file also contains the
 * new module's code, as debuggers require. If the module has no names, the debug file's names
 * select its functions and stay in the debug file.
 */
bool wi_debug_file_instrument(const uint8_t *input, size_t size, const wi_options *options,
                              wi_output *output, wi_error *error);

/* wi_list_functions for such a module. */
bool wi_debug_file_list_functions(const uint8_t *input, size_t size, const wi_options *options,
                                  void (*visit)(void *user, const wi_function_info *info),
                                  void *user, wi_error *error);

#endif /* WI_HOOKS_DEBUG_FILE_H_ */
