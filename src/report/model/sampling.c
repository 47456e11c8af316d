#include "report/model/sampling.h"

#include "profile/kinds.h"
#include "profile/values.h"
#include "support/arithmetic.h"

uint64_t wi_whole_time(const wasm_perf_profile *profile, const wi_tree *tree) {
  uint64_t sum = tree->nodes[0].total;
  for (unsigned kind = 0; kind < WASM_PERF_KIND_COUNT; kind++)
    sum = wi_saturating_add(sum, wi_value(&profile->header, profile->hidden_self[kind]));
  return sum;
}

uint64_t wi_sample_period(const wasm_perf_profile *profile, const wi_tree *tree) {
  const wasm_perf_header *header = &profile->header;
  if (header->clock != WASM_PERF_CLOCK_SAMPLED || header->clock_read_count == 0 ||
      wi_unit_of(header) != WI_UNIT_NANOSECONDS)
    return 0;
  return wi_whole_time(profile, tree) / header->clock_read_count;
}

/*
 * Whether so few samples, with `expected` many, rule out coincidence: it occurs in less than one of
 * forty runs. That is expected > seen + 2 √seen + 3, without computing the root.
 */
static bool are_too_few(double seen, double expected) {
  double more = expected - seen - 3;
  return more > 0 && more * more > 4 * seen;
}

bool wi_is_inlined(const wasm_perf_profile *profile, const wi_tree *tree, uint32_t label) {
  const wi_label_sum *sum = &tree->sums[label];
  uint64_t period = wi_sample_period(profile, tree);
  if (period == 0 || profile->facts.uninlined || wi_tree_kind(tree, label) != WASM_PERF_KIND_WASM)
    return false;
  double least = (double)sum->call_count / (double)period; /* one nanosecond per call */
  return are_too_few((double)sum->self / (double)period, least);
}
