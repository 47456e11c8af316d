/* Functions whose calls are not known, of profiles that are put together. */
#ifndef WI_PROFILE_UNCOUNTED_H_
#define WI_PROFILE_UNCOUNTED_H_

#include "wasm_perf/profile.h"

/*
 * Those of any of `profiles` become those of `result`, which has none: a sum of which a part is not
 * known is not known. Takes O(n log n) time. False: out of memory.
 */
bool wi_uncounted_merge(wasm_perf_profile *result, const wasm_perf_profile *const *profiles,
                        size_t count);

/*
 * Gives the instructions of functions without hooks that the host called, which stand at the root,
 * a node of their own: reports show nothing of the root. False: out of memory.
 */
bool wi_show_unhooked(wasm_perf_profile *profile);

#endif /* WI_PROFILE_UNCOUNTED_H_ */
