/*
 * Exports of a component through which its host reads the profiles of modules that write none
 * themselves. They are appended sections, so existing bytes do not move.
 */
#ifndef WI_COMPONENT_LIFT_H_
#define WI_COMPONENT_LIFT_H_

#include "component/container.h"
#include "support/buffer.h"

/* Prefix of the exports' names. Names of every instance but the first end with its number. */
#define WI_LIFT_PREFIX "wasm-perf-"

/*
 * `out` holds the component with instrumented modules. Appends sections that export the profile of
 * each instance of a marked module: is_silent[part] marks the modules, which must belong to the
 * component itself. numbers[part] is set to the number of its first instance's exports, from 1. It
 * stays 0 if there are none: the module is in a nested component or not instantiated, or the
 * component contains items that this code does not know.
 *
 *     wasm-perf-profile: func() -> u32
 *     wasm-perf-read: func(offset: u32) -> u64
 *     wasm-perf-reset: func()
 */
void wi_component_lift(const wi_component *component, const bool *is_silent, uint32_t *numbers,
                       wi_buffer *out);

/* The interfaces that commands and request handlers export, up to their versions. */
#define WI_COMPONENT_COMMAND "wasi:cli/run@"
#define WI_COMPONENT_HANDLER "wasi:http/"

/*
 * Whether the component has an export whose name begins so. What its core modules export says
 * nothing about that. `unknown` if it contains items that this code does not know.
 */
bool wi_component_exports(const wi_component *component, const char *start, bool unknown);

#endif /* WI_COMPONENT_LIFT_H_ */
