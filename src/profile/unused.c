#include "profile/unused.h"

#include <stdlib.h>

#include "profile/node_facts.h"

static bool has_values(const wasm_perf_row *row) {
  for (unsigned m = 0; m < WASM_PERF_MEASURE_COUNT; m++)
    if (row->values[m] != 0)
      return true;
  return false;
}

/* Sets is_used[i] if anything was counted in node i or below it, and of the root. */
static void find_used(const wasm_perf_profile *profile, bool *is_used) {
  is_used[0] = true;
  for (uint32_t i = 0; i < profile->row_count; i++)
    is_used[profile->rows[i].node] |= has_values(&profile->rows[i]);
  for (uint32_t i = profile->header.node_count - 1; i > 0; i--) {
    const wasm_perf_node *node = &profile->nodes[i];
    is_used[i] |= node->call_count > 0 || node->self > 0;
    is_used[node->parent] |= is_used[i];
  }
}

/* Fills in places[i], the new number of node i or of its nearest ancestor. */
static void keep_used(wasm_perf_profile *profile, const bool *is_used, uint32_t *places) {
  wasm_perf_node *nodes = profile->nodes;
  uint32_t kept = 0;
  for (uint32_t i = 0; i < profile->header.node_count; i++) {
    uint32_t parent = places[nodes[i].parent];
    places[i] = is_used[i] ? kept : parent;
    if (!is_used[i])
      continue;
    nodes[kept] = nodes[i];
    nodes[kept++].parent = parent;
  }
  profile->header.node_count = kept;
}

bool wi_unused_drop(wasm_perf_profile *profile) {
  uint32_t count = profile->header.node_count, *places = calloc(count, sizeof *places);
  bool *is_used = calloc(count, sizeof *is_used), done = places && is_used;
  if (done) {
    find_used(profile, is_used);
    keep_used(profile, is_used, places);
    done = wi_node_facts_move(profile, places);
  }
  free(is_used);
  free(places);
  return done;
}
