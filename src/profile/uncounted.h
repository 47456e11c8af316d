/* Functions with unknown calls, when profiles are combined. */
#ifndef WI_PROFILE_UNCOUNTED_H_
#define WI_PROFILE_UNCOUNTED_H_

#include "wasm_perf/profile.h"

/*
 * Marks in `result`, which has none, the uncounted functions of all `profiles`: a sum with an
 * unknown part is unknown. O(n log n) time. Returns false if out of memory.
 */
bool wi_uncounted_merge(wasm_perf_profile *result, const wasm_perf_profile *const *profiles,
                        size_t count);

/*
 * Moves the instructions of unhooked functions that the host called from the root to a new node,
 * because reports do not show the root. Returns false if out of memory.
 */
bool wi_show_unhooked(wasm_perf_profile *profile);

#endif /* WI_PROFILE_UNCOUNTED_H_ */
