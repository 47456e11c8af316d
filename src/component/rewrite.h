/* Instruments core modules inside of a component. */
#ifndef WI_COMPONENT_REWRITE_H_
#define WI_COMPONENT_REWRITE_H_

#include "wasm_instrument/wasm_instrument.h"

/*
 * wi_instrument for a component: chosen core modules get the embedded runtime. All other bytes stay
 * the same, except the sizes of enclosing sections. `options` is not NULL.
 */
bool wi_component_instrument(const uint8_t *input, size_t size, const wi_options *options,
                             wi_output *output, wi_error *error);

/* wi_list_functions for a component: visits the functions of all core modules, module by module. */
bool wi_component_list_functions(const uint8_t *input, size_t size, const wi_options *options,
                                 void (*visit)(void *user, const wi_function_info *info),
                                 void *user, wi_error *error);

#endif /* WI_COMPONENT_REWRITE_H_ */
