#include "profile/wperf_callers.h"

#include <stdlib.h>
#include <string.h>

#include "profile/functions.h"

#define HEAD_SIZE       8u  /* two counts */
#define CALLER_SIZE     8u  /* the caller's own caller, its frame */
#define FRAME_HEAD_SIZE 16u /* line, column, sizes of two texts */
#define ROOT            0u
#define MOST_NODES      (1u << 22)

/* ---- Checking ---------------------------------------------------------------- */

static bool check_frames(const wi_wperf_input *in, size_t offset, size_t end, uint32_t count) {
  for (; count > 0; count--) {
    if (end - offset < FRAME_HEAD_SIZE)
      return wi_wperf_fail(in, offset, "a frame ends past its section");
    uint64_t name_size = wi_wperf_u32(in->bytes + offset + 8);
    uint64_t file_size = wi_wperf_u32(in->bytes + offset + 12);
    offset += FRAME_HEAD_SIZE;
    if (name_size + file_size > end - offset)
      return wi_wperf_fail(in, offset, "a frame's texts end past their section");
    if (!wi_wperf_check_text(in, (wi_wperf_span){offset, (size_t)name_size}, "a frame's name") ||
        !wi_wperf_check_text(in, (wi_wperf_span){offset + (size_t)name_size, (size_t)file_size},
                             "a frame's file"))
      return false;
    offset += (size_t)(name_size + file_size);
  }
  return true;
}

bool wi_wperf_check_callers(const wi_wperf_input *in, wi_wperf_span section, uint32_t *count) {
  const uint8_t *bytes = in->bytes + section.offset;
  *count = 0;
  if (section.offset == 0)
    return true;
  if (section.size < HEAD_SIZE)
    return wi_wperf_fail(in, section.offset, "the section of callers has no head");
  uint32_t frame_count = wi_wperf_u32(bytes), caller_count = wi_wperf_u32(bytes + 4);
  if (caller_count > (section.size - HEAD_SIZE) / CALLER_SIZE)
    return wi_wperf_fail(in, section.offset, "%u callers do not fit", caller_count);
  bytes += HEAD_SIZE;
  for (uint32_t i = 0; i < caller_count; i++, bytes += CALLER_SIZE) {
    uint32_t outer = wi_wperf_u32(bytes), frame = wi_wperf_u32(bytes + 4);
    if (outer > i || frame == 0 || frame > frame_count)
      return wi_wperf_fail(in, (size_t)(bytes - in->bytes),
                           "caller %u is of frame %u and caller %u", i + 1, frame, outer);
  }
  *count = caller_count;
  return check_frames(in, (size_t)(bytes - in->bytes), section.offset + section.size, frame_count);
}

/* ---- Functions ------------------------------------------------------------------ */

static bool add_function(wasm_perf_profile *profile, uint32_t function, const uint8_t *frame) {
  uint32_t name_size = wi_wperf_u32(frame + 8), file_size = wi_wperf_u32(frame + 12);
  const char *name = (const char *)frame + FRAME_HEAD_SIZE, *file = name + name_size;
  if (!wasm_perf_profile_set_name_n(profile, function, name_size > 0 ? name : WI_CALLER_ANONYMOUS,
                                    name_size > 0 ? name_size : strlen(WI_CALLER_ANONYMOUS)) ||
      !wasm_perf_profile_set_kind(profile, function, WASM_PERF_KIND_JAVASCRIPT) ||
      !wasm_perf_profile_set_uncounted(profile, function) ||
      !wasm_perf_profile_set_place(profile, function, wi_wperf_u32(frame), file, file_size))
    return false;
  wasm_perf_place *place = &profile->places[profile->place_count - 1]; /* functions increase */
  place->column = wi_wperf_u32(frame + 4);
  return true;
}

static bool add_functions(wi_callers *callers, const uint8_t *frames, uint32_t count) {
  wasm_perf_profile *profile = callers->profile;
  callers->first_function = wi_functions_first_free(profile);
  if (callers->first_function == 0 || count > WASM_PERF_FUNCTION_UNHOOKED - callers->first_function)
    return false;
  if (profile->facts.first_guest == 0)
    profile->facts.first_guest = callers->first_function;
  for (uint32_t i = 0; i < count; i++) {
    if (!add_function(profile, callers->first_function + i, frames))
      return false;
    frames += FRAME_HEAD_SIZE + wi_wperf_u32(frames + 8) + wi_wperf_u32(frames + 12);
  }
  return true;
}

bool wi_callers_init(wi_callers *callers, wasm_perf_profile *profile, const wi_wperf_input *in,
                     wi_wperf_span section) {
  const uint8_t *bytes = in->bytes + section.offset;
  *callers = (wi_callers){.profile = profile,
                          .items = bytes + HEAD_SIZE,
                          .node_capacity = profile->header.node_count,
                          .old_count = profile->header.node_count};
  callers->placed = wi_child_table_new(0);
  if (callers->placed &&
      add_functions(callers, callers->items + wi_wperf_u32(bytes + 4) * (size_t)CALLER_SIZE,
                    wi_wperf_u32(bytes)))
    return true;
  wi_callers_clear(callers);
  return false;
}

void wi_callers_clear(wi_callers *callers) {
  wi_child_table_free(callers->placed);
  free(callers->open);
}

/* ---- Nodes ------------------------------------------------------------------------ */

/* Makes room for a node. Returns false if out of memory. */
static bool reserve_node(wi_callers *callers) {
  wasm_perf_profile *profile = callers->profile;
  if (profile->header.node_count < callers->node_capacity)
    return true;
  size_t capacity = 2 * (size_t)callers->node_capacity;
  wasm_perf_node *nodes =
      capacity <= UINT32_MAX ? realloc(profile->nodes, capacity * sizeof *nodes) : NULL;
  if (!nodes)
    return false;
  profile->nodes = nodes;
  callers->node_capacity = (uint32_t)capacity;
  return true;
}

/* Appends a node and notes that it stands for `key` of `caller`. Returns 0 if out of memory. */
static uint32_t add_node(wi_callers *callers, uint32_t parent, uint32_t function, uint32_t caller,
                         uint32_t key) {
  uint32_t *place = wi_child_table_at(callers->placed, caller, key);
  if (!place || !reserve_node(callers))
    return 0;
  *place = callers->profile->header.node_count++;
  callers->profile->nodes[*place] = (wasm_perf_node){.function = function, .parent = parent};
  return *place;
}

static bool push(wi_callers *callers, uint32_t item) {
  uint32_t *added = WI_ARRAY_PUSH(callers, open);
  if (added)
    *added = item;
  return added != NULL;
}

static const uint8_t *item_of(const wi_callers *callers, uint32_t caller) {
  return callers->items + (caller - 1) * (size_t)CALLER_SIZE;
}

/* The node of a caller's frame; 0: out of memory. */
static uint32_t node_of_caller(wi_callers *callers, uint32_t caller) {
  uint32_t at = caller, node = 0;
  for (; at != 0 && node == 0; at = wi_wperf_u32(item_of(callers, at))) {
    node = wi_child_table_find(callers->placed, at, ROOT);
    if (node == 0 && !push(callers, at))
      return 0;
  }
  while (callers->open_count > 0) {
    at = callers->open[--callers->open_count];
    uint32_t frame = wi_wperf_u32(item_of(callers, at) + 4);
    node = add_node(callers, node, callers->first_function + frame - 1, at, ROOT);
    if (node == 0)
      return 0;
  }
  return node;
}

uint32_t wi_callers_node(wi_callers *callers, uint32_t caller, uint32_t node) {
  if (callers->profile->header.node_count - callers->old_count > MOST_NODES)
    return node;
  uint32_t below = node_of_caller(callers, caller), found = 0, at = node;
  for (; below != 0 && at != ROOT && found == 0; at = callers->profile->nodes[at].parent) {
    found = wi_child_table_find(callers->placed, caller, at);
    if (found == 0 && !push(callers, at))
      return 0;
  }
  below = found == 0 ? below : found;
  while (below != 0 && callers->open_count > 0) {
    at = callers->open[--callers->open_count];
    below = add_node(callers, below, callers->profile->nodes[at].function, caller, at);
  }
  return below;
}
