/* Runs one module through the pipeline. The library's entry points are in api/instrument.c. */
#ifndef WI_HOOKS_INSTRUMENT_H_
#define WI_HOOKS_INSTRUMENT_H_

#include "support/error.h"

struct wi_surroundings; /* hooks/surroundings.h */

/*
 * wi_instrument and wi_list_functions for a core module; `options` must not be NULL.
 * `around`, except for its old hooks, tells of what is around the module; NULL: nothing is.
 */
bool wi_module_instrument(const uint8_t *input, size_t size, const wi_options *options,
                          const struct wi_surroundings *around, wi_output *output, wi_error *error);
bool wi_module_list_functions(const uint8_t *input, size_t size, const wi_options *options,
                              void (*visit)(void *user, const wi_function_info *info), void *user,
                              wi_error *error);

#endif /* WI_HOOKS_INSTRUMENT_H_ */
