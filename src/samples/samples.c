#include "samples/samples.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

bool wi_samples_init(wi_samples *samples) {
  uint32_t root;
  return wi_samples_add_node(samples, 0, 0, &root);
}

void wi_samples_clear(wi_samples *samples) {
  free(samples->frames);
  free(samples->nodes);
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
  *added = (wi_sample_frame){function, (uint32_t)size, samples->names.size};
  wi_buffer_append(&samples->names, name, size);
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

bool wi_samples_add_node(wi_samples *samples, uint32_t parent, uint32_t frame, uint32_t *node) {
  *node = samples->nodes_count;
  wi_sample_node *added = WI_ARRAY_PUSH(samples, nodes);
  if (added)
    *added = (wi_sample_node){parent, frame, 0};
  return added != NULL;
}

void wi_samples_add_time(wi_samples *samples, uint32_t node, double nanoseconds) {
  static const double most = 1e18; /* sums of so many stay finite and fit into 64 bits once cut */
  if (node == 0)
    return;
  samples->sample_count++;
  if (isfinite(nanoseconds) && nanoseconds > 0)
    samples->nodes[node].time += nanoseconds < most ? nanoseconds : most;
}
