#include "profile/call_tree.h"

#include <stdlib.h>

#include "profile/names.h"
#include "profile/stacks.h"
#include "support/search.h"

bool wi_call_has_instructions(const wasm_perf_call *call) {
  for (uint32_t i = 0; i < call->row_count; i++)
    if (call->rows[i].self > 0)
      return true;
  return false;
}

static void add_nodes(wasm_perf_profile *result, const wasm_perf_profile *profile,
                      const wasm_perf_call *call) {
  result->nodes[0] = (wasm_perf_node){.function = WASM_PERF_FUNCTION_ROOT};
  for (uint32_t i = 0; i < call->row_count; i++) {
    const wasm_perf_call_row *row = &call->rows[i];
    result->nodes[i + 1] = (wasm_perf_node){.function = profile->nodes[row->node].function,
                                            .parent = i == 0 ? 0 : row->caller + 1,
                                            .call_count = row->call_count,
                                            .self = row->self};
  }
  result->header.node_count = call->row_count + 1;
}

/* Copies what is known of a function. */
static bool add_function(wasm_perf_profile *result, const wasm_perf_profile *profile,
                         uint32_t function) {
  const char *name = wasm_perf_profile_name(profile, function);
  const wasm_perf_place *place = wasm_perf_profile_place(profile, function);
  wasm_perf_kind kind = wasm_perf_profile_kind(profile, function);
  return (!name ||
          wi_name_set(result, function, name, wasm_perf_profile_confidence(profile, function))) &&
         (!place || wi_place_copy(result, function, place)) &&
         (kind == wasm_perf_profile_kind(result, function) ||
          wasm_perf_profile_set_kind(result, function, kind)) &&
         (wasm_perf_profile_is_counted(profile, function) ||
          wasm_perf_profile_set_uncounted(result, function));
}

/* In increasing order, so that each is added at the end. */
static bool add_functions(wasm_perf_profile *result, const wasm_perf_profile *profile) {
  uint32_t count = result->header.node_count - 1;
  uint32_t *functions = malloc((count + (size_t)1) * sizeof *functions);
  for (uint32_t i = 0; functions && i < count; i++)
    functions[i] = result->nodes[i + 1].function;
  if (functions)
    qsort(functions, count, sizeof *functions, wi_compare_u32);
  bool done = functions != NULL;
  for (uint32_t i = 0; done && i < count; i++)
    done =
        (i > 0 && functions[i] == functions[i - 1]) || add_function(result, profile, functions[i]);
  free(functions);
  return done;
}

wasm_perf_profile *wi_call_profile(const wasm_perf_profile *profile, const wasm_perf_call *call,
                                   wasm_perf_clock clock) {
  wasm_perf_profile *result = calloc(1, sizeof *result);
  if (!result)
    return NULL;
  result->header = profile->header;
  result->header.clock = clock;
  result->header.name_count = 0;
  result->header.ticks_per_second = result->header.clock_read_count = 0;
  result->header.truncated_call_count = result->header.unbalanced_count = 0;
  result->header.inner_hook_cost = result->header.outer_hook_cost = 0;
  result->header.hook_cost_error = result->header.open_frame_count = 0;
  result->facts.first_guest = profile->facts.first_guest;
  result->nodes = malloc((call->row_count + (size_t)1) * sizeof *result->nodes);
  if (result->nodes) {
    add_nodes(result, profile, call);
    if (add_functions(result, profile) && wi_stacks_fold(result))
      return result;
  }
  wasm_perf_profile_free(result);
  return NULL;
}
