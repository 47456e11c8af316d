/* Memory measures of nodes. wasm_perf/format.h lists the values. */
#ifndef WI_PROFILE_MEASURES_H_
#define WI_PROFILE_MEASURES_H_

#include "profile/values.h"

/*
 * Returns the node that a row's value belongs to: an allocator's values belong to its caller,
 * skipping the layers in allocation_layers.def.
 */
uint32_t wi_measure_owner(const wasm_perf_profile *profile, uint32_t node,
                          wasm_perf_measure measure);

/*
 * Sums the measure of each node, charged to its owner: values[header.node_count]. Negative sums, in
 * a difference, become 0.
 */
void wi_measure_values(const wasm_perf_profile *profile, wasm_perf_measure measure,
                       uint64_t *values);

/* Unit of the measure. */
wi_unit wi_measure_unit(wasm_perf_measure measure);

/* Adds two values of rows: saturating, or modulo 2^64 in a difference. */
uint64_t wi_measure_add(const wasm_perf_profile *profile, uint64_t sum, uint64_t value);

/* Makes room for `count` more rows. Returns false if out of memory. */
bool wi_measures_reserve(wasm_perf_profile *profile, size_t count);

/* Updates rows after nodes moved to places[node]: adds up the rows of each node, and sorts them. */
void wi_measures_move(wasm_perf_profile *profile, const uint32_t *places);

/* Adds up sizes and moments of all profiles. Returns false if out of memory. */
bool wi_measures_merge_times(wasm_perf_profile *result, const wasm_perf_profile *const *profiles,
                             size_t count);

#endif /* WI_PROFILE_MEASURES_H_ */
