/* Taking out what the hooks themselves cost. */
#include "profile/units.h"
#include "support/arithmetic.h"
#include "wasm_perf/profile.h"

static void take_out(wasm_perf_profile *profile, uint32_t node, uint64_t cost) {
  uint64_t *self = &profile->nodes[node].self;
  uint64_t taken = cost < *self ? cost : *self;
  *self -= taken;
  if (node > 0) /* the root is not shown */
    profile->hook_time = wi_saturating_add(profile->hook_time, taken);
}

void wasm_perf_profile_compensate(wasm_perf_profile *profile) {
  const wasm_perf_header *header = &profile->header;
  if (header->clock != WASM_PERF_CLOCK_WALL && header->clock != WASM_PERF_CLOCK_SAMPLED)
    return;
  for (uint32_t i = 1; i < header->node_count; i++) {
    const wasm_perf_node *node = &profile->nodes[i];
    take_out(profile, i, wi_hook_time(node->call_count, header->inner_hook_cost));
    take_out(profile, node->parent, wi_hook_time(node->call_count, header->outer_hook_cost));
  }
}
