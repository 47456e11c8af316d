#include "samples/caller_places.h"

#include <stdlib.h>
#include <string.h>

#include "profile/stacks.h"
#include "profile/wperf_callers.h"
#include "samples/scripts.h"
#include "samples/thread.h"

/* A function's frame in the samples. */
typedef struct caller {
  const wi_samples *samples;
  uint32_t function, frame;
} caller;

static bool add_caller(wi_samples *samples, const wasm_perf_profile *profile,
                       const wasm_perf_place *place, caller *added) {
  *added = (caller){.samples = samples, .function = place->function};
  if (!wi_samples_add_function(samples, profile, place->function, &added->frame))
    return false;
  wi_sample_frame *frame = &samples->frames[added->frame];
  const char *name = (const char *)samples->names.data + frame->name_offset;
  frame->is_call = true;
  if (frame->name_size == strlen(WI_CALLER_ANONYMOUS) &&
      memcmp(name, WI_CALLER_ANONYMOUS, frame->name_size) == 0)
    frame->name_size = 0; /* it is named by its place */
  return true;
}

/* Returns the functions with a column. NULL: out of memory. The caller frees it. */
static caller *list_callers(wi_samples *samples, const wasm_perf_profile *profile,
                            uint32_t *count) {
  caller *list = malloc((profile->place_count + (size_t)1) * sizeof *list);
  bool done = list != NULL;
  *count = 0;
  for (uint32_t i = 0; done && i < profile->place_count; i++) {
    const wasm_perf_place *place = &profile->places[i];
    if (place->column > 0 &&
        wasm_perf_profile_kind(profile, place->function) == WASM_PERF_KIND_JAVASCRIPT)
      done = add_caller(samples, profile, place, &list[(*count)++]);
  }
  if (done)
    return list;
  free(list);
  return NULL;
}

static const wi_sample_frame *frame_of(const caller *of) {
  return &of->samples->frames[of->frame];
}

static int compare_texts(const caller *a, const caller *b, size_t a_offset, uint32_t a_size,
                         size_t b_offset, uint32_t b_size) {
  const uint8_t *a_text = a->samples->names.data, *b_text = b->samples->names.data;
  int order = memcmp(a_text + a_offset, b_text + b_offset, a_size < b_size ? a_size : b_size);
  return order != 0 ? order : (a_size > b_size) - (a_size < b_size);
}

/* By what reports show of a function. */
static int compare_frames(const caller *a, const caller *b) {
  const wi_sample_frame *of_a = frame_of(a), *of_b = frame_of(b);
  int order =
      compare_texts(a, b, of_a->file_offset, of_a->file_size, of_b->file_offset, of_b->file_size);
  if (order == 0)
    order = (of_a->line > of_b->line) - (of_a->line < of_b->line);
  return order != 0 ? order
                    : compare_texts(a, b, of_a->name_offset, of_a->name_size, of_b->name_offset,
                                    of_b->name_size);
}

static int compare(const void *left, const void *right) {
  const caller *a = left, *b = right;
  int order = compare_frames(a, b);
  return order != 0 ? order : (a->function > b->function) - (a->function < b->function);
}

static bool set_place(wasm_perf_profile *profile, const caller *of) {
  const wi_sample_frame *frame = frame_of(of);
  const char *texts = (const char *)of->samples->names.data;
  wasm_perf_place *place = (wasm_perf_place *)wasm_perf_profile_place(profile, of->function);
  char *file = malloc(frame->file_size + (size_t)1);
  if (!file)
    return false;
  memcpy(file, texts + frame->file_offset, frame->file_size);
  file[frame->file_size] = '\0';
  free(place->file);
  place->file = file;
  place->line = frame->line;
  place->column = 0; /* it is mapped */
  return wasm_perf_profile_set_name_n(profile, of->function, texts + frame->name_offset,
                                      frame->name_size);
}

/* Renumbers the nodes of functions that are the same: `alike` per function from `first` on. */
static bool merge_nodes(wasm_perf_profile *profile, const uint32_t *alike, uint32_t first,
                        uint32_t count) {
  bool is_changed = false;
  for (uint32_t i = 1; i < profile->header.node_count; i++) {
    uint32_t *function = &profile->nodes[i].function;
    if (*function - first >= count || alike[*function - first] == *function)
      continue;
    *function = alike[*function - first];
    is_changed = true;
  }
  return !is_changed || wi_stacks_fold(profile);
}

/* `list` is not empty, and in the order of functions. */
static bool merge_callers(wasm_perf_profile *profile, caller *list, uint32_t count) {
  uint32_t first = list[0].function, room = list[count - 1].function - first + 1;
  uint32_t *alike = malloc(room * sizeof *alike);
  for (uint32_t i = 0; alike && i < room; i++)
    alike[i] = first + i;
  qsort(list, count, sizeof *list, compare);
  for (uint32_t i = 1; alike && i < count; i++)
    if (compare_frames(&list[i - 1], &list[i]) == 0)
      alike[list[i].function - first] = alike[list[i - 1].function - first];
  bool done = alike && merge_nodes(profile, alike, first, room);
  free(alike);
  return done;
}

bool wi_caller_places_map(wasm_perf_profile *profile, wi_file_reader *read) {
  wi_samples samples = {0};
  uint32_t count = 0;
  bool done = wi_samples_init(&samples);
  caller *list = done ? list_callers(&samples, profile, &count) : NULL;
  done = list && wi_scripts_place(&samples, read);
  for (uint32_t i = 0; done && i < count; i++)
    done = set_place(profile, &list[i]);
  done = done && (count == 0 || merge_callers(profile, list, count));
  free(list);
  wi_samples_clear(&samples);
  return done;
}
