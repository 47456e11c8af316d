/* Calls that were measured one by one, when profiles are read, combined and changed. */
#ifndef WI_PROFILE_CALLS_H_
#define WI_PROFILE_CALLS_H_

#include "profile/histogram.h"
#include "profile/values.h"

#define WI_KEPT_LEAST 10u /* slow calls that a sum of profiles keeps, if there are as many */

/* The name of a measure: "time". */
const char *wi_call_measure_name(wasm_perf_call_measure measure);
wi_unit wi_call_measure_unit(wasm_perf_call_measure measure);

/* The measure by which calls are ranked; WASM_PERF_CALL_MEASURE_COUNT if none was measured. */
wasm_perf_call_measure wi_calls_rank(const wasm_perf_profile *profile);

/* Removes all measured calls. */
void wi_calls_clear(wasm_perf_profile *profile);

/*
 * Puts histograms and kept calls that were appended in order, and adds up histograms of the same node
 * and measure. Returns false if out of memory.
 */
bool wi_calls_sort(wasm_perf_profile *profile);

/*
 * Appends a copy of the calls of `profile`, whose first node is `start` in `result`. To be sorted.
 * Returns false if out of memory.
 */
bool wi_calls_append(wasm_perf_profile *result, const wasm_perf_profile *profile, uint32_t start);

/* Sees a node of a histogram, of a kept call or of its rows, and may change it. */
typedef void wi_node_visitor(uint32_t *node, void *user);

/* Visits all of them. If nodes changed, the calls are to be sorted. */
void wi_calls_visit(wasm_perf_profile *profile, wi_node_visitor *visit, void *user);

/* Updates calls after nodes moved to places[node]. Returns false if out of memory. */
bool wi_calls_move(wasm_perf_profile *profile, uint32_t *places);

/*
 * Removes the calls of nodes that are to be hidden, and their rows in other calls; what they called
 * belongs to their callers. is_hidden[header.node_count]. Returns false if out of memory.
 */
bool wi_calls_hide(wasm_perf_profile *profile, const bool *is_hidden);

/* The number of slow calls. */
uint32_t wi_calls_slow_count(const wasm_perf_profile *profile);

/*
 * Subtracts the histograms of an earlier profile, and removes the calls that it has. Its nodes are
 * places[node] here, or UINT32_MAX. Returns false, with nothing
 * changed, if out of memory.
 */
bool wi_calls_subtract(wasm_perf_profile *profile, const wasm_perf_profile *before,
                       const uint32_t *places);

#endif /* WI_PROFILE_CALLS_H_ */
