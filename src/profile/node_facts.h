/* All data of a profile that refers to nodes: measures, shared calls, threads, measured calls. */
#ifndef WI_PROFILE_NODE_FACTS_H_
#define WI_PROFILE_NODE_FACTS_H_

#include "wasm_perf/profile.h"

/*
 * Updates the data after nodes moved to places[node]; what belongs to the same node is added up.
 * Returns false if out of memory.
 */
bool wi_node_facts_move(wasm_perf_profile *profile, uint32_t *places);

/*
 * Appends the data of `profile`, except its threads, whose first node is `start` in `result`. To be
 * moved or sorted (calls.h). Returns false if out of memory.
 */
bool wi_node_facts_append(wasm_perf_profile *result, const wasm_perf_profile *profile,
                          uint32_t start);

#endif /* WI_PROFILE_NODE_FACTS_H_ */
