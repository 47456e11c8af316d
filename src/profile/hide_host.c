/* Leaving out what the host did. */
#include <stdlib.h>

#include "profile/measures.h"
#include "support/arithmetic.h"
#include "wasm_perf/profile.h"

static bool is_host(const wasm_perf_profile *profile, uint32_t node) {
  return profile->nodes[node].function < profile->header.host_function_count;
}

/* Parents come before children, so each finds the place of its nearest one that stays. */
static uint32_t keep_guests(wasm_perf_profile *profile, uint32_t *places) {
  wasm_perf_node *nodes = profile->nodes;
  uint32_t kept = 0;
  for (uint32_t i = 0; i < profile->header.node_count; i++) {
    uint32_t parent = places[nodes[i].parent];
    if (i > 0 && is_host(profile, i)) {
      profile->hidden_self = wi_saturating_add(profile->hidden_self, nodes[i].self);
      profile->hidden_call_count =
          wi_saturating_add(profile->hidden_call_count, nodes[i].call_count);
      places[i] = parent;
      continue;
    }
    nodes[kept] = nodes[i];
    nodes[kept].parent = parent;
    places[i] = kept++;
  }
  return kept;
}

bool wasm_perf_profile_hide_host(wasm_perf_profile *profile) {
  uint32_t *places = calloc(profile->header.node_count, sizeof *places);
  if (!places)
    return false;
  profile->header.node_count = keep_guests(profile, places);
  wi_measures_move(profile, places);
  free(places);
  return true;
}
