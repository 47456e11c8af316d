/* Finds the core module of a component that a profile belongs to. */
#ifndef WI_SYMBOLS_CORE_MODULE_H_
#define WI_SYMBOLS_CORE_MODULE_H_

#include "support/cursor.h"
#include "wasm_perf/profile.h"

/*
 * Searches the component of `size` bytes at `bytes` for the original module, identified by its
 * code, or for the instrumented module that ran (*has_run), identified by name if there are
 * several. Returns false with *error filled in if there is none or the component is unreadable.
 */
bool wi_core_module_find(const uint8_t *bytes, size_t size, const wasm_perf_profile *profile,
                         wi_span *module, bool *has_run, wi_error *error);

#endif /* WI_SYMBOLS_CORE_MODULE_H_ */
