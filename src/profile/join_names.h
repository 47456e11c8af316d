/* Distinguishes functions with the same name in several modules. */
#ifndef WI_PROFILE_JOIN_NAMES_H_
#define WI_PROFILE_JOIN_NAMES_H_

#include "wasm_perf/profile.h"

/* Follows a name that functions of several modules have: this, the module's name, ")". */
#define WI_IN_MODULE " (in "

/*
 * Adds the module to each such name: "malloc (in side.wasm)". bases[i] is the number of module i of
 * `count`, in increasing order; its functions follow. Functions from `end` on belong to no module.
 * Returns false if out of memory.
 */
bool wi_join_names_mark(wasm_perf_profile *profile, const uint32_t *bases,
                        const char *const *labels, size_t count, uint32_t end);

#endif /* WI_PROFILE_JOIN_NAMES_H_ */
