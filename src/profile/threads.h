/* Samples in order of time, where profiles are put together. */
#ifndef WI_PROFILE_THREADS_H_
#define WI_PROFILE_THREADS_H_

#include "wasm_perf/profile.h"

/*
 * Adds a thread like `thread`, whose name has `name_size` bytes. It becomes the owner of the
 * stretches, also where it fails. False: out of memory.
 */
bool wi_threads_add(wasm_perf_profile *profile, const wasm_perf_thread *thread, const char *name,
                    size_t name_size);

/* Forgets all threads. */
void wi_threads_clear(wasm_perf_profile *profile);

/* Where the profile's nodes have moved: that of each stretch becomes places[node]. */
void wi_threads_move(wasm_perf_profile *profile, const uint32_t *places);

/*
 * Gives `result` the threads of the only profile that has some, whose first node became
 * starts[its index]: runs have clocks of their own. False: out of memory.
 */
bool wi_threads_merge(wasm_perf_profile *result, const wasm_perf_profile *const *profiles,
                      const uint32_t *starts, size_t count);

/* Leaves what came after `before`, an earlier profile of the same run. */
void wi_threads_subtract(wasm_perf_profile *profile, const wasm_perf_profile *before);

/* Where the first of them starts; 0: there is none. */
uint64_t wi_threads_start(const wasm_perf_profile *profile);

#endif /* WI_PROFILE_THREADS_H_ */
