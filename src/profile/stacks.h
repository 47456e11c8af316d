/* Profiles in which several nodes may stand for one stack. */
#ifndef WI_PROFILE_STACKS_H_
#define WI_PROFILE_STACKS_H_

#include "wasm_perf/profile.h"

/*
 * Keeps the first node of each stack and adds the others to it, measures of memory included.
 * Parents come before children; there may be several roots, which are nodes of
 * WASM_PERF_FUNCTION_ROOT. False, with nothing changed: out of memory.
 */
bool wi_stacks_fold(wasm_perf_profile *profile);

#endif /* WI_PROFILE_STACKS_H_ */
