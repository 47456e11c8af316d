/* What memory profiles have of some nodes. The values are listed in wasm_perf/format.h. */
#ifndef WI_PROFILE_MEASURES_H_
#define WI_PROFILE_MEASURES_H_

#include "profile/values.h"

/*
 * The node that a row's value is of: where it is an allocator's with a caller, that one, behind the layers of
 * allocation_layers.def.
 */
uint32_t wi_measure_owner(const wasm_perf_profile *profile, uint32_t node,
                          wasm_perf_measure measure);

/* What it counts. */
wi_unit wi_measure_unit(wasm_perf_measure measure);

/* The sum of two values of rows: at most 2^64 - 1, in a difference modulo 2^64. */
uint64_t wi_measure_add(const wasm_perf_profile *profile, uint64_t sum, uint64_t value);

/* Makes room for `count` more rows after those of the profile; false: out of memory. */
bool wi_measures_reserve(wasm_perf_profile *profile, size_t count);

/*
 * Where the profile's nodes have moved: gives each row of measures to places[node], adds up those
 * of one node and sorts them by it.
 */
void wi_measures_move(wasm_perf_profile *profile, const uint32_t *places);

/* Sizes and moments of all profiles, added up; false: out of memory. */
bool wi_measures_merge_times(wasm_perf_profile *result, const wasm_perf_profile *const *profiles,
                             size_t count);

#endif /* WI_PROFILE_MEASURES_H_ */
