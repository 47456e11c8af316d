#include "profile/uncounted.h"

#include <stdlib.h>
#include <string.h>

#include "support/search.h"

static int compare_functions(const void *left, const void *right) {
  uint32_t a = *(const uint32_t *)left, b = *(const uint32_t *)right;
  return (a > b) - (a < b);
}

/* Position of the function, or where to insert it. */
static uint32_t position_of(const wasm_perf_profile *profile, uint32_t function) {
  return wi_lower_bound(&function, profile->uncounted, profile->uncounted_count,
                        sizeof *profile->uncounted, compare_functions);
}

bool wasm_perf_profile_is_counted(const wasm_perf_profile *profile, uint32_t function) {
  uint32_t position = position_of(profile, function);
  return position == profile->uncounted_count || profile->uncounted[position] != function;
}

bool wasm_perf_profile_set_uncounted(wasm_perf_profile *profile, uint32_t function) {
  uint32_t count = profile->uncounted_count;
  if (!wasm_perf_profile_is_counted(profile, function))
    return true;
  if ((count & (count - 1)) == 0) { /* the capacity is a power of two */
    uint32_t *larger =
        realloc(profile->uncounted, (count == 0 ? 1 : 2 * (size_t)count) * sizeof *larger);
    if (!larger)
      return false;
    profile->uncounted = larger;
  }
  uint32_t *place = profile->uncounted + position_of(profile, function);
  memmove(place + 1, place, (size_t)(profile->uncounted + count - place) * sizeof *place);
  *place = function;
  profile->uncounted_count++;
  return true;
}

/*
 * Returns the uncounted functions of all profiles, sorted, and their number in *sum. NULL: out of
 * memory. The caller frees the result.
 */
static uint32_t *collect(const wasm_perf_profile *const *profiles, size_t count, size_t *sum) {
  *sum = 0;
  for (size_t i = 0; i < count; i++)
    *sum += profiles[i]->uncounted_count;
  uint32_t *all = malloc((*sum + 1) * sizeof *all), *end = all;
  for (size_t i = 0; all && i < count; i++)
    for (uint32_t j = 0; j < profiles[i]->uncounted_count; j++)
      *end++ = profiles[i]->uncounted[j];
  if (all)
    qsort(all, *sum, sizeof *all, compare_functions);
  return all;
}

bool wi_uncounted_merge(wasm_perf_profile *result, const wasm_perf_profile *const *profiles,
                        size_t count) {
  size_t sum;
  uint32_t *all = collect(profiles, count, &sum);
  bool done = all != NULL;
  for (size_t i = 0; done && i < sum; i++) /* in order, so each is appended */
    done = wasm_perf_profile_set_uncounted(result, all[i]);
  free(all);
  return done;
}

bool wi_show_unhooked(wasm_perf_profile *profile) {
  const wasm_perf_header *header = &profile->header;
  uint32_t count = header->node_count;
  if (!wasm_perf_clock_is_counted(header->clock) || profile->nodes[0].self == 0 ||
      header->hooked_function_count >= header->function_count || count == UINT32_MAX)
    return true;
  wasm_perf_node *nodes = realloc(profile->nodes, ((size_t)count + 1) * sizeof *nodes);
  if (!nodes)
    return false;
  profile->nodes = nodes;
  nodes[count] = (wasm_perf_node){.function = WASM_PERF_FUNCTION_UNHOOKED, .self = nodes[0].self};
  nodes[0].self = 0;
  profile->header.node_count++;
  return wasm_perf_profile_set_uncounted(profile, WASM_PERF_FUNCTION_UNHOOKED);
}
