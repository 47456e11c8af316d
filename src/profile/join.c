/* Profiles of different modules in one. */
#include <stdlib.h>
#include <string.h>

#include "profile/measures.h"
#include "profile/mismatch.h"
#include "profile/units.h"
#include "support/arithmetic.h"
#include "wasm_perf/profile.h"

/* How many function indices a profile takes: its largest and all below. */
static uint64_t function_room(const wasm_perf_profile *profile) {
  uint64_t room = profile->header.function_count;
  for (uint32_t i = 1; i < profile->header.node_count; i++) {
    uint32_t function = profile->nodes[i].function;
    if (function < WASM_PERF_FUNCTION_TRUNCATED && function >= room)
      room = (uint64_t)function + 1;
  }
  return room;
}

static bool check(const wasm_perf_profile *const *profiles, size_t count, uint64_t *node_count,
                  wasm_perf_mismatch *mismatch) {
  const wasm_perf_header *first = &profiles[0]->header;
  uint64_t room = 0;
  *node_count = 1;
  for (size_t i = 0; i < count; i++) {
    const wasm_perf_header *header = &profiles[i]->header;
    if (!wi_clocks_match(first, header, i, mismatch))
      return false;
    if (header->ticks_per_second != first->ticks_per_second)
      return wi_mismatch_set(mismatch, i, "its clock has other ticks than before");
    room += function_room(profiles[i]) + 1;
    *node_count += header->node_count;
    if (room >= WASM_PERF_FUNCTION_TRUNCATED || *node_count > UINT32_MAX)
      return wi_mismatch_set(mismatch, i, "there are too many functions or nodes");
  }
  return true;
}

static void add_header(wasm_perf_header *sum, const wasm_perf_header *header) {
  sum->truncated_call_count =
      wi_saturating_add(sum->truncated_call_count, header->truncated_call_count);
  sum->unbalanced_count = wi_saturating_add(sum->unbalanced_count, header->unbalanced_count);
  sum->clock_read_count = wi_saturating_add(sum->clock_read_count, header->clock_read_count);
  sum->open_frame_count += header->open_frame_count;
  sum->function_count += header->function_count;
  sum->hooked_function_count += header->hooked_function_count;
  if (sum->node_limit < header->node_limit)
    sum->node_limit = header->node_limit;
}

static void init_header(wasm_perf_header *sum, const wasm_perf_header *first) {
  *sum = *first;
  sum->node_count = 1;
  sum->name_count = sum->host_function_count = 0;
  sum->truncated_call_count = sum->unbalanced_count = sum->clock_read_count = 0;
  sum->open_frame_count = sum->function_count = sum->hooked_function_count = 0;
}

/* After the nodes there are; `base` is the function that stands for the module. */
static void add_nodes(wasm_perf_profile *result, const wasm_perf_profile *profile, uint32_t base) {
  uint32_t start = result->header.node_count;
  result->nodes[start] = (wasm_perf_node){.function = base};
  for (uint32_t i = 1; i < profile->header.node_count; i++) {
    wasm_perf_node node = profile->nodes[i];
    if (node.function < WASM_PERF_FUNCTION_TRUNCATED)
      node.function += base + 1;
    node.parent += start;
    result->nodes[start + i] = node;
  }
  result->header.node_count += profile->header.node_count;
}

/* Of nodes that stand from `start` on. */
static bool add_rows(wasm_perf_profile *result, const wasm_perf_profile *profile, uint32_t start) {
  if (!wi_measures_reserve(result, profile->row_count))
    return false;
  result->is_difference |= profile->is_difference;
  for (uint32_t i = 0; i < profile->row_count; i++) {
    wasm_perf_row *row = &result->rows[result->row_count++];
    *row = profile->rows[i];
    row->node += start;
  }
  return true;
}

static bool add_names(wasm_perf_profile *result, const wasm_perf_profile *profile,
                      const char *label, uint32_t base, uint64_t room) {
  if (!wasm_perf_profile_set_name(result, base, label))
    return false;
  for (uint32_t i = 0; i < profile->header.name_count; i++) {
    const wasm_perf_name *name = &profile->names[i];
    if (name->function < room &&
        !wasm_perf_profile_set_name(result, base + 1 + name->function, name->text))
      return false;
  }
  for (uint32_t i = 0; i < profile->place_count; i++) {
    const wasm_perf_place *place = &profile->places[i];
    if (place->function < room &&
        !wasm_perf_profile_set_place(result, base + 1 + place->function, place->line, place->file,
                                     strlen(place->file)))
      return false;
  }
  for (uint32_t i = 0; i < profile->block_function_count; i++) {
    const wasm_perf_blocks *blocks = &profile->blocks[i];
    if (blocks->function < room &&
        !wasm_perf_profile_add_blocks(result, base + 1 + blocks->function, blocks->counts,
                                      blocks->count))
      return false;
  }
  for (uint32_t i = 0; i < profile->uncounted_count; i++)
    if (profile->uncounted[i] < room &&
        !wasm_perf_profile_set_uncounted(result, base + 1 + profile->uncounted[i]))
      return false;
  return true;
}

static bool fill(wasm_perf_profile *result, const wasm_perf_profile *const *profiles,
                 const char *const *labels, size_t count) {
  uint32_t base = 0;
  result->nodes[0] = (wasm_perf_node){.function = WASM_PERF_FUNCTION_ROOT};
  init_header(&result->header, &profiles[0]->header);
  for (size_t i = 0; i < count; i++) {
    add_header(&result->header, &profiles[i]->header);
    add_nodes(result, profiles[i], base);
    if (!add_rows(result, profiles[i], result->header.node_count - profiles[i]->header.node_count))
      return false;
    uint64_t room = function_room(profiles[i]);
    if (!add_names(result, profiles[i], labels[i], base, room))
      return false;
    if (result->facts.run_time < profiles[i]->facts.run_time)
      result->facts.run_time = profiles[i]->facts.run_time;
    base += (uint32_t)room + 1;
  }
  return wi_measures_merge_times(result, profiles, count);
}

wasm_perf_profile *wasm_perf_profile_join(const wasm_perf_profile *const *profiles,
                                          const char *const *labels, size_t count,
                                          wasm_perf_mismatch *mismatch) {
  uint64_t node_count;
  if (!check(profiles, count, &node_count, mismatch))
    return NULL;
  wasm_perf_profile *result = calloc(1, sizeof *result);
  if (result)
    result->nodes = malloc((size_t)node_count * sizeof *result->nodes);
  if (result && result->nodes && fill(result, profiles, labels, count))
    return result;
  wasm_perf_profile_free(result);
  wi_mismatch_set(mismatch, count, "memory ran out");
  return NULL;
}
