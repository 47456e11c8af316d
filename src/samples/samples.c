#include "samples/samples.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "support/arithmetic.h"

bool wi_samples_init(wi_samples *samples) {
  uint32_t root;
  wi_buffer_u8(&samples->names, 0); /* so that it has an address, even if no frame has a name */
  return !samples->names.failed && wi_samples_add_node(samples, 0, 0, &root);
}

void wi_samples_clear(wi_samples *samples) {
  free(samples->frames);
  free(samples->nodes);
  free(samples->waiting);
  for (uint32_t i = 0; i < samples->threads_count; i++) {
    free(samples->threads[i].name);
    free(samples->threads[i].stretches);
  }
  free(samples->threads);
  wi_buffer_clear(&samples->names);
  *samples = (wi_samples){0};
}

bool wi_samples_add_frame(wi_samples *samples, uint32_t function, const char *name, size_t size,
                          uint32_t *frame) {
  if (size > UINT32_MAX)
    size = 0;
  *frame = samples->frames_count;
  wi_sample_frame *added = WI_ARRAY_PUSH(samples, frames);
  if (!added)
    return false;
  *added = (wi_sample_frame){
      .function = function, .name_size = (uint32_t)size, .name_offset = samples->names.size};
  wi_buffer_append(&samples->names, name, size);
  return !samples->names.failed;
}

bool wi_samples_add_other(wi_samples *samples, const wi_sample_frame *place, const char *name,
                          const char *file, uint32_t *frame) {
  if (!wi_samples_add_frame(samples, WI_NO_FUNCTION, name, place->name_size, frame))
    return false;
  wi_sample_frame *added = &samples->frames[*frame];
  added->kind = place->kind;
  added->line = place->line;
  added->column = place->column;
  added->file_size = place->file_size;
  added->file_offset = samples->names.size;
  wi_buffer_append(&samples->names, file, place->file_size);
  samples->is_whole = true;
  return !samples->names.failed;
}

const char *wi_samples_number(const char *text, const char *end, const char *prefix,
                              uint32_t *number) {
  enum { MOST_DIGITS = 8 };
  size_t prefix_size = strlen(prefix);
  if ((size_t)(end - text) < prefix_size || memcmp(text, prefix, prefix_size) != 0)
    return NULL;
  const char *digit = text + prefix_size;
  *number = 0;
  for (; digit < end && *digit >= '0' && *digit <= '9'; digit++) {
    if (digit - text - (ptrdiff_t)prefix_size == MOST_DIGITS)
      return NULL;
    *number = *number * 10 + (uint32_t)(*digit - '0');
  }
  return digit > text + prefix_size ? digit : NULL;
}

bool wi_samples_add_named(wi_samples *samples, const char *name, size_t size, uint32_t *frame) {
  static const struct {
    const char *prefix, *suffix;
  } forms[] = {{"wasm-function[", "]"}, {"<wasm function ", ">"}};
  const char *end = name + size;
  uint32_t function;
  for (size_t i = 0; i < sizeof forms / sizeof *forms; i++) {
    const char *rest = wi_samples_number(name, end, forms[i].prefix, &function);
    if (rest && end - rest == 1 && *rest == *forms[i].suffix)
      return wi_samples_add_frame(samples, function, "", 0, frame);
  }
  return wi_samples_add_frame(samples, WI_NO_FUNCTION, name, size, frame);
}

bool wi_samples_add_waiting(wi_samples *samples, const char *functions, uint32_t base) {
  const char *end = functions + strlen(functions);
  uint32_t function;
  for (const char *at = functions; at && at < end; at += *at == ' ') {
    at = wi_samples_number(at, end, "", &function);
    if (!at)
      break; /* the rest has another format */
    uint32_t *added = WI_ARRAY_PUSH(samples, waiting);
    if (!added)
      return false;
    *added = base + function;
  }
  return true;
}

bool wi_samples_add_order(wi_samples *samples, const wasm_perf_thread *thread, uint32_t first) {
  wasm_perf_thread *added = WI_ARRAY_PUSH(samples, threads);
  if (!added)
    return false;
  *added = *thread;
  added->name = strdup(thread->name);
  added->stretches = malloc((thread->stretch_count + (size_t)1) * sizeof *added->stretches);
  if (!added->name || !added->stretches)
    return false;
  for (uint32_t i = 0; i < thread->stretch_count; i++) {
    added->stretches[i] = thread->stretches[i];
    if (added->stretches[i].node != 0)
      added->stretches[i].node += first;
  }
  return true;
}

bool wi_samples_add_node(wi_samples *samples, uint32_t parent, uint32_t frame, uint32_t *node) {
  *node = samples->nodes_count;
  wi_sample_node *added = WI_ARRAY_PUSH(samples, nodes);
  if (!added)
    return false;
  bool is_wasm = *node > 0 && samples->frames[frame].kind == WASM_PERF_KIND_WASM;
  *added = (wi_sample_node){.parent = parent, .frame = frame};
  added->has_wasm = is_wasm || (*node > 0 && samples->nodes[parent].has_wasm);
  return true;
}

/* What can be added of a value: sums stay finite, and saturated they fit into 64 bits. */
static double bounded(double value) {
  static const double most = 1e18;
  return isfinite(value) && value > 0 ? fmin(value, most) : 0;
}

void wi_samples_add_times(wi_samples *samples, uint32_t node, double nanoseconds, uint64_t count) {
  if (samples->nodes[node].has_wasm)
    samples->sample_count = wi_saturating_add(samples->sample_count, count);
  samples->whole_count = wi_saturating_add(samples->whole_count, count);
  samples->nodes[node].time += bounded(nanoseconds);
}

void wi_samples_add_time(wi_samples *samples, uint32_t node, double nanoseconds) {
  wi_samples_add_times(samples, node, nanoseconds, 1);
}

double wi_samples_time_unit(const uint8_t *name, size_t size) {
  static const struct {
    const char *name;
    double nanoseconds;
  } units[] = {{"nanoseconds", 1}, {"microseconds", 1e3}, {"milliseconds", 1e6}, {"seconds", 1e9}};
  for (size_t i = 0; i < sizeof units / sizeof *units; i++)
    if (strlen(units[i].name) == size && memcmp(units[i].name, name, size) == 0)
      return units[i].nanoseconds;
  return 0;
}

void wi_samples_add_less(wi_samples *samples, uint32_t node, double value) {
  samples->has_less = true;
  samples->nodes[node].less += bounded(value);
}

void wi_samples_add_calls(wi_samples *samples, uint32_t node, double calls) {
  samples->has_calls = true;
  samples->nodes[node].calls += bounded(calls);
}
