#include "samples/thread.h"

#include <string.h>

#include "profile/functions.h"
#include "profile/values.h"
#include "samples/v8_frame.h"

/*
 * Returns the function's index in the profile; WI_NO_FUNCTION if its module is not in the profile.
 */
static uint32_t number_in_profile(const wasm_perf_profile *thread, uint32_t function,
                                  const wi_module_base *bases, size_t base_count) {
  for (uint32_t i = 0; i < thread->module_count; i++) {
    const wasm_perf_module *module = &thread->modules[i];
    if (function < module->function || function - module->function >= module->count)
      continue;
    for (size_t b = 0; b < base_count; b++)
      if (bases[b].identity && strcmp(bases[b].identity, module->identity) == 0)
        return bases[b].function + (function - module->function);
  }
  return WI_NO_FUNCTION;
}

bool wi_samples_add_function(wi_samples *samples, const wasm_perf_profile *profile,
                             uint32_t function, uint32_t *frame) {
  const char *name = wasm_perf_profile_name(profile, function);
  const wasm_perf_place *where = wasm_perf_profile_place(profile, function);
  wi_sample_frame place = {.kind = wasm_perf_profile_kind(profile, function)};
  if (place.kind == WASM_PERF_KIND_NATIVE)
    place.kind = wi_v8_kind(name ? name : "", "");
  place.name_size = name ? (uint32_t)strlen(name) : 0;
  place.line = where ? where->line : 0;
  place.column = where ? where->column : 0;
  place.file_size = where ? (uint32_t)strlen(where->file) : 0;
  return wi_samples_add_other(samples, &place, name ? name : "", where ? where->file : "", frame);
}

bool wi_samples_add_thread(wi_samples *samples, const wasm_perf_profile *thread,
                           const wi_module_base *bases, size_t base_count) {
  wi_functions functions;
  if (!wi_functions_init(&functions, thread))
    return false;
  uint32_t frame, first_frame = samples->frames_count, first_node = samples->nodes_count - 1;
  bool done = true;
  for (uint32_t i = 0; done && i < functions.count; i++) {
    uint32_t number = number_in_profile(thread, functions.items[i], bases, base_count);
    done = number == WI_NO_FUNCTION
               ? wi_samples_add_function(samples, thread, functions.items[i], &frame)
               : wi_samples_add_frame(samples, number, "", 0, &frame);
  }
  for (uint32_t i = 1; done && i < thread->header.node_count; i++) {
    const wasm_perf_node *node = &thread->nodes[i];
    uint32_t added, parent = node->parent == 0 ? 0 : node->parent + first_node;
    frame = first_frame + wi_functions_find(&functions, node->function);
    done = wi_samples_add_node(samples, parent, frame, &added);
    if (done)
      samples->nodes[added].time = (double)wi_value(&thread->header, node->self);
  }
  for (uint32_t i = 0; done && i < thread->thread_count; i++)
    done = wi_samples_add_order(samples, &thread->threads[i], first_node);
  samples->whole_count += thread->header.clock_read_count;
  samples->is_numbered = samples->is_whole = true;
  wi_functions_clear(&functions);
  return done;
}
