/* Removes functions by kind. */
#include <stdlib.h>

#include "profile/calls.h"
#include "profile/node_facts.h"
#include "profile/stacks.h"
#include "support/arithmetic.h"
#include "wasm_perf/profile.h"

/* Parents precede children, so the place of the nearest kept ancestor is already known. */
static uint32_t keep_others(wasm_perf_profile *profile, unsigned kinds, uint32_t *places) {
  wasm_perf_node *nodes = profile->nodes;
  uint32_t kept = 0;
  for (uint32_t i = 0; i < profile->header.node_count; i++) {
    uint32_t parent = places[nodes[i].parent];
    wasm_perf_kind kind = wasm_perf_profile_kind(profile, nodes[i].function);
    if (i > 0 && (kinds & WASM_PERF_KIND_BIT(kind)) != 0) {
      profile->hidden_self[kind] = wi_saturating_add(profile->hidden_self[kind], nodes[i].self);
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

/* In threads, moves the stretches of nodes of these kinds out of the call tree. */
static void hide_stretches(wasm_perf_profile *profile, unsigned kinds) {
  for (uint32_t t = 0; t < profile->thread_count; t++) {
    wasm_perf_thread *thread = &profile->threads[t];
    for (uint32_t i = 0; i < thread->stretch_count; i++) {
      uint32_t function = profile->nodes[thread->stretches[i].node].function;
      wasm_perf_kind kind = wasm_perf_profile_kind(profile, function);
      if ((kinds & WASM_PERF_KIND_BIT(kind)) != 0)
        thread->stretches[i].node = 0;
    }
  }
}

static bool hide_calls(wasm_perf_profile *profile, unsigned kinds) {
  uint32_t count = profile->header.node_count;
  bool *is_hidden = calloc(count, sizeof *is_hidden);
  for (uint32_t i = 1; is_hidden && i < count; i++) {
    wasm_perf_kind kind = wasm_perf_profile_kind(profile, profile->nodes[i].function);
    is_hidden[i] = (kinds & WASM_PERF_KIND_BIT(kind)) != 0;
  }
  bool done = is_hidden && wi_calls_hide(profile, is_hidden);
  free(is_hidden);
  return done;
}

bool wasm_perf_profile_hide(wasm_perf_profile *profile, unsigned kinds) {
  uint32_t *places = calloc(profile->header.node_count, sizeof *places);
  if (!places)
    return false;
  hide_stretches(profile, kinds);
  if ((kinds & WASM_PERF_KIND_BIT(WASM_PERF_KIND_JAVASCRIPT)) != 0)
    profile->shared_count = 0; /* stacks that shared calls become one */
  bool done = hide_calls(profile, kinds);
  profile->header.node_count = keep_others(profile, kinds, places);
  done = wi_node_facts_move(profile, places) && done;
  free(places);
  return done && wi_stacks_fold(profile);
}
