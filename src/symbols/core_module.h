/* The core module of a component that a profile is of. */
#ifndef WI_SYMBOLS_CORE_MODULE_H_
#define WI_SYMBOLS_CORE_MODULE_H_

#include "support/cursor.h"
#include "wasm_perf/profile.h"

/*
 * Finds it among those of the component of `size` bytes at `bytes`: the original by the identity of
 * its code, or the instrumented one that ran (*has_run), by its name where there are
 * several. False, with *error filled in, where there is none or the component cannot be read.
 */
bool wi_core_module_find(const uint8_t *bytes, size_t size, const wasm_perf_profile *profile,
                         wi_span *module, bool *has_run, wi_error *error);

/*
 * Says in the profile which module it is of, and how many functions that imports: the one of `size`
 * bytes at `bytes`, in a file called `name`. False: out of memory.
 */
bool wi_core_module_note(wasm_perf_profile *profile, const uint8_t *bytes, size_t size,
                         const char *name);

#endif /* WI_SYMBOLS_CORE_MODULE_H_ */
