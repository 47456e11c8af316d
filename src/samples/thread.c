#include "samples/thread.h"

#include <stdlib.h>
#include <string.h>

#include "profile/functions.h"
#include "profile/values.h"
#include "samples/v8_frame.h"

/* Finds the base of each module of the thread; an item is NULL if it has none. NULL: no memory. */
static const wi_module_base **find_bases(const wasm_perf_profile *thread,
                                         const wi_module_base *bases, size_t base_count) {
  const wi_module_base **found = calloc(thread->module_count + (size_t)1, sizeof *found);
  for (uint32_t i = 0; found && i < thread->module_count; i++)
    for (size_t b = 0; b < base_count && !found[i]; b++)
      if (strcmp(bases[b].file, thread->modules[i].name) == 0)
        found[i] = &bases[b];
  return found;
}

/*
 * Returns the function's index in the profile; WI_NO_FUNCTION if its module is not in the profile.
 */
static uint32_t number_in_profile(const wasm_perf_profile *thread, uint32_t function,
                                  const wi_module_base *const *bases) {
  for (uint32_t i = 0; i < thread->module_count; i++) {
    const wasm_perf_module *module = &thread->modules[i];
    if (bases[i] && function >= module->function && function - module->function < module->count)
      return bases[i]->function + (function - module->function);
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

/* Adds a frame for each function that occurs. */
static bool add_frames(wi_samples *samples, const wasm_perf_profile *thread,
                       const wi_functions *functions, const wi_module_base *const *bases) {
  uint32_t frame;
  bool done = true;
  for (uint32_t i = 0; done && i < functions->count; i++) {
    uint32_t number = number_in_profile(thread, functions->items[i], bases);
    const char *name = wasm_perf_profile_name(thread, functions->items[i]);
    done = number == WI_NO_FUNCTION
               ? wi_samples_add_function(samples, thread, functions->items[i], &frame)
               : wi_samples_add_frame(samples, number, name ? name : "", name ? strlen(name) : 0,
                                      &frame);
  }
  return done;
}

/* Adds the nodes; the frames of `functions` begin at `first_frame`. */
static bool add_nodes(wi_samples *samples, const wasm_perf_profile *thread,
                      const wi_functions *functions, uint32_t first_frame) {
  uint32_t first_node = samples->nodes_count - 1;
  bool done = true;
  for (uint32_t i = 1; done && i < thread->header.node_count; i++) {
    const wasm_perf_node *node = &thread->nodes[i];
    uint32_t added, parent = node->parent == 0 ? 0 : node->parent + first_node;
    uint32_t frame = first_frame + wi_functions_find(functions, node->function);
    done = wi_samples_add_node(samples, parent, frame, &added);
    if (done)
      samples->nodes[added].time = (double)wi_value(&thread->header, node->self);
  }
  for (uint32_t i = 0; done && i < thread->thread_count; i++)
    done = wi_samples_add_order(samples, &thread->threads[i], first_node);
  return done;
}

bool wi_samples_add_thread(wi_samples *samples, const wasm_perf_profile *thread,
                           const wi_module_base *bases, size_t base_count) {
  wi_functions functions;
  if (!wi_functions_init(&functions, thread))
    return false;
  uint32_t first_frame = samples->frames_count;
  const wi_module_base **found = find_bases(thread, bases, base_count);
  bool done = found && add_frames(samples, thread, &functions, found) &&
              add_nodes(samples, thread, &functions, first_frame);
  samples->whole_count += thread->header.clock_read_count;
  samples->is_numbered = samples->is_whole = true;
  free(found);
  wi_functions_clear(&functions);
  return done;
}
