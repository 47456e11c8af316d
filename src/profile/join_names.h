/* Names of functions of several modules. */
#ifndef WI_PROFILE_JOIN_NAMES_H_
#define WI_PROFILE_JOIN_NAMES_H_

#include "wasm_perf/profile.h"

/* What stands behind a name that functions of several modules have: this, the module's, ")". */
#define WI_IN_MODULE " (in "

/*
 * Adds the module to each such name: "malloc (in side.wasm)". The functions of the i-th of `count`
 * modules follow bases[i], which increase; those from `end` on are no module's. False: memory ran
 * out.
 */
bool wi_join_names_mark(wasm_perf_profile *profile, const uint32_t *bases,
                        const char *const *labels, size_t count, uint32_t end);

#endif /* WI_PROFILE_JOIN_NAMES_H_ */
