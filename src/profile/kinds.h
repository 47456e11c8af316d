/* What functions are, and calls that are known together, where profiles are put together. */
#ifndef WI_PROFILE_KINDS_H_
#define WI_PROFILE_KINDS_H_

#include "profile/guests.h"
#include "wasm_perf/profile.h"

/*
 * Makes the kinds of all of the guests' profiles those of `result`, which has none. False: out of
 * memory.
 */
bool wi_kinds_merge(wasm_perf_profile *result, const wi_guests *guests);

/* Says that the calls of two nodes are known together. False: out of memory. */
bool wi_shared_add(wasm_perf_profile *profile, uint32_t node, uint32_t first);

/*
 * Where the profile's nodes have moved: the node of each becomes places[node], and those of one
 * node share their calls with all of each other's. False: out of memory, and nothing is shared.
 */
bool wi_shared_move(wasm_perf_profile *profile, const uint32_t *places);

/*
 * Adds a module to a file of samples, by its identity of `size` bytes. False: out of memory.
 */
bool wi_modules_add(wasm_perf_profile *profile, uint32_t function, uint32_t count,
                    const char *identity, size_t size);

/* What reports call all functions of a kind. */
const char *wi_kind_plural(wasm_perf_kind kind);

#endif /* WI_PROFILE_KINDS_H_ */
