/* The modules of a profile, and which functions belong to each. */
#ifndef WI_PROFILE_MODULES_H_
#define WI_PROFILE_MODULES_H_

#include "wasm_perf/profile.h"

#define WI_NO_MODULE UINT32_MAX

/* Follows a name that functions of several modules have: this, the module's name, ")". */
#define WI_IN_MODULE " (in "

/*
 * Adds a module to a file of samples; the name of its profile has `size` bytes. Returns false if
 * out of memory.
 */
bool wi_modules_add(wasm_perf_profile *profile, uint32_t function, uint32_t count, const char *name,
                    size_t size);

/* Adds a module to a profile of several. Returns false if out of memory. */
bool wi_joined_add(wasm_perf_profile *profile, uint32_t function, uint32_t count, const char *name,
                   size_t size);

/*
 * The number of the module that a function belongs to, or that it stands for; a profile of one
 * module has module 0. WI_NO_MODULE for functions of guests and of the host.
 */
uint32_t wi_module_of(const wasm_perf_profile *profile, uint32_t function);

/* Whether `function` stands for a module. */
bool wi_module_is(const wasm_perf_profile *profile, uint32_t function);

/* The name of a module; "" if it is unknown. */
const char *wi_module_name(const wasm_perf_profile *profile, uint32_t module);

/*
 * Pairs the modules of two profiles: those with the same name; the remaining ones in their order if
 * both profiles have equally many. Returns the number that each module of `before` has in `after`,
 * or a number that no module there has. NULL if out of memory. The caller frees the result.
 */
uint32_t *wi_modules_pair(const wasm_perf_profile *before, const wasm_perf_profile *after);

#endif /* WI_PROFILE_MODULES_H_ */
