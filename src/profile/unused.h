/* Stacks in which nothing was counted. */
#ifndef WI_PROFILE_UNUSED_H_
#define WI_PROFILE_UNUSED_H_

#include "wasm_perf/profile.h"

/*
 * Drops the nodes in which and below which nothing was counted, except the root. Returns false if
 * out of memory; the profile is then unchanged, or has lost its shared calls.
 */
bool wi_unused_drop(wasm_perf_profile *profile);

#endif /* WI_PROFILE_UNUSED_H_ */
