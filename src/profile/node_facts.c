#include "profile/node_facts.h"

#include "profile/calls.h"
#include "profile/kinds.h"
#include "profile/measures.h"
#include "profile/threads.h"

bool wi_node_facts_move(wasm_perf_profile *profile, uint32_t *places) {
  bool shared = wi_shared_move(profile, places);
  wi_measures_move(profile, places);
  wi_threads_move(profile, places);
  return wi_calls_move(profile, places) && shared;
}

bool wi_node_facts_append(wasm_perf_profile *result, const wasm_perf_profile *profile,
                          uint32_t start) {
  for (uint32_t i = 0; i < profile->shared_count; i++)
    if (!wi_shared_add(result, profile->shared[i].node + start, profile->shared[i].first + start))
      return false;
  if (!wi_measures_reserve(result, profile->row_count))
    return false;
  result->is_difference |= profile->is_difference;
  for (uint32_t i = 0; i < profile->row_count; i++) {
    wasm_perf_row *row = &result->rows[result->row_count++];
    *row = profile->rows[i];
    row->node += start;
  }
  return wi_calls_append(result, profile, start);
}
