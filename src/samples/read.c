#include "samples/read.h"

#include <stdlib.h>
#include <string.h>

#include "names/label.h"
#include "profile/functions.h"
#include "profile/values.h"
#include "samples/cpuprofile.h"
#include "samples/firefox.h"
#include "samples/perf_script.h"
#include "samples/thread.h"
#include "samples/trace.h"
#include "support/json_cursor.h"

static bool read_json(const uint8_t *bytes, size_t size, wi_samples *samples, wi_error *error) {
  wi_cursor document = wi_cursor_at(bytes, (wi_span){0, (uint32_t)size}, error);
  wi_firefox_value value;
  if (!wi_json_is_valid(bytes, size, error))
    return false;
  if (wi_cpuprofile_is(document))
    return wi_cpuprofile_read(document, false, samples, error);
  if (wi_firefox_is(document))
    return wi_firefox_read(document, samples, &value, error);
  if (wi_trace_is(document))
    return wi_trace_read(document, true, samples, error);
  return wi_error_set(error, WI_ERROR_MALFORMED, 0, WI_NO_FUNCTION,
                      "this JSON is not a .cpuprofile, a DevTools trace or a Firefox profile");
}

bool wi_samples_read(const uint8_t *bytes, size_t size, wi_samples *samples, wi_error *error) {
  if (!wi_samples_init(samples))
    return wi_error_memory(error);
  if (size > WI_SAMPLES_MAX_SIZE)
    return wi_error_set(error, WI_ERROR_LIMIT, WI_SAMPLES_MAX_SIZE, WI_NO_FUNCTION,
                        "the profile is larger than 512 MB");
  if (size > 0 && (bytes[0] == '{' || bytes[0] == '['))
    return read_json(bytes, size, samples, error);
  return wi_perf_script_read((const char *)bytes, size, false, samples, error);
}

/*
 * Returns the function's name; "" if it has none: the profile's placeholder is not known to other
 * profilers.
 */
static const char *own_name(const wasm_perf_profile *profile, uint32_t function) {
  const char *name = wasm_perf_profile_name(profile, function);
  return name && !wi_label_is_number(name, NULL) ? name : "";
}

/* Adds one frame per function. */
static bool add_frames(const wasm_perf_profile *profile, const wi_functions *functions,
                       wi_samples *samples) {
  uint32_t frame;
  bool done = true;
  for (uint32_t i = 0; done && i < functions->count; i++) {
    uint32_t function = functions->items[i];
    const char *name = own_name(profile, function);
    bool is_wasm = wasm_perf_profile_kind(profile, function) == WASM_PERF_KIND_WASM;
    done = is_wasm ? wi_samples_add_frame(samples, function, name, strlen(name), &frame)
                   : wi_samples_add_function(samples, profile, function, &frame);
  }
  return done;
}

bool wi_samples_of_profile(const wasm_perf_profile *profile, wi_samples *samples) {
  wi_functions functions;
  if (!wi_samples_init(samples) || !wi_functions_init(&functions, profile))
    return false;
  bool done = add_frames(profile, &functions, samples);
  for (uint32_t i = 1; done && i < profile->header.node_count; i++) {
    const wasm_perf_node *node = &profile->nodes[i];
    uint32_t added, frame = wi_functions_find(&functions, node->function);
    done = wi_samples_add_node(samples, node->parent, frame, &added);
    if (done)
      samples->nodes[added].time = (double)wi_value(&profile->header, node->self);
  }
  for (uint32_t i = 0; done && i < profile->thread_count; i++)
    done = wi_samples_add_order(samples, &profile->threads[i], 0);
  samples->sample_count = samples->whole_count = profile->header.clock_read_count;
  samples->is_whole = profile->kind_count > 0;
  wi_functions_clear(&functions);
  return done;
}
