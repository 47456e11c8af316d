/* Time-ordered samples, when profiles are combined. */
#ifndef WI_PROFILE_THREADS_H_
#define WI_PROFILE_THREADS_H_

#include "wasm_perf/profile.h"

/*
 * Adds a copy of `thread` with a name of `name_size` bytes. Takes ownership of the stretches, even
 * on failure. Returns false if out of memory.
 */
bool wi_threads_add(wasm_perf_profile *profile, const wasm_perf_thread *thread, const char *name,
                    size_t name_size);

/* Removes all threads. */
void wi_threads_clear(wasm_perf_profile *profile);

/* Updates stretches after nodes moved to places[node]. */
void wi_threads_move(wasm_perf_profile *profile, const uint32_t *places);

/*
 * Copies the threads of the only profile with threads to `result`; starts[i] is the new index of
 * profile i's first node. If several profiles have threads, none are kept, because every run has
 * its own clock. Returns false if out of memory.
 */
bool wi_threads_merge(wasm_perf_profile *result, const wasm_perf_profile *const *profiles,
                      const uint32_t *starts, size_t count);

/* Keeps what came after `before`, an earlier profile of the same run. */
void wi_threads_subtract(wasm_perf_profile *profile, const wasm_perf_profile *before);

/* Start of the earliest thread; 0 if there are none. */
uint64_t wi_threads_start(const wasm_perf_profile *profile);

#endif /* WI_PROFILE_THREADS_H_ */
