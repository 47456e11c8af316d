/* Kinds of functions and nodes with shared calls, when profiles are combined. */
#ifndef WI_PROFILE_KINDS_H_
#define WI_PROFILE_KINDS_H_

#include "profile/guests.h"
#include "wasm_perf/profile.h"

/*
 * Copies the kinds in all of the guests' profiles to `result`, which has none. Returns false if out
 * of memory.
 */
bool wi_kinds_merge(wasm_perf_profile *result, const wi_guests *guests);

/* Records that the calls of two nodes are known only as a sum. Returns false if out of memory. */
bool wi_shared_add(wasm_perf_profile *profile, uint32_t node, uint32_t first);

/*
 * Updates groups after nodes moved to places[node]. Groups with nodes at the same place are merged.
 * Returns false if out of memory; no calls are shared then.
 */
bool wi_shared_move(wasm_perf_profile *profile, const uint32_t *places);

/* Returns the name of the kind for programs. */
const char *wi_kind_name(wasm_perf_kind kind);

/* Returns the plural that reports use for functions of the kind. */
const char *wi_kind_plural(wasm_perf_kind kind);

#endif /* WI_PROFILE_KINDS_H_ */
