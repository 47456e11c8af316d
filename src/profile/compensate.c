/* Subtracts the cost of the hooks. */
#include "profile/values.h"
#include "support/arithmetic.h"
#include "wasm_perf/profile.h"

/*
 * Subtracts the hook cost of `call_count` calls from a node. With a sampled clock, most nodes have
 * no time to subtract from.
 */
static void take_out(wasm_perf_profile *profile, uint32_t node, uint64_t call_count,
                     uint64_t cost) {
  uint64_t *self = &profile->nodes[node].self;
  if (*self == 0)
    return;
  uint64_t time = wi_hook_time(call_count, cost), taken = time < *self ? time : *self;
  *self -= taken;
  if (node > 0) /* the root is not shown */
    profile->hook_time = wi_saturating_add(profile->hook_time, taken);
}

void wasm_perf_profile_compensate(wasm_perf_profile *profile) {
  const wasm_perf_header *header = &profile->header;
  if (!wasm_perf_clock_is_time(header->clock))
    return;
  for (uint32_t i = 1; i < header->node_count; i++) {
    const wasm_perf_node *node = &profile->nodes[i];
    take_out(profile, i, node->call_count, header->inner_hook_cost);
    take_out(profile, node->parent, node->call_count, header->outer_hook_cost);
  }
}
