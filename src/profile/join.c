/* Combines profiles of different modules. */
#include <stdlib.h>
#include <string.h>

#include "profile/calls.h"
#include "profile/guests.h"
#include "profile/measures.h"
#include "profile/merge_facts.h"
#include "profile/mismatch.h"
#include "profile/modules.h"
#include "profile/names.h"
#include "profile/node_facts.h"
#include "profile/threads.h"
#include "profile/values.h"
#include "support/arithmetic.h"
#include "support/large.h"
#include "wasm_perf/profile.h"

/*
 * How a profile's functions are renumbered. Guest functions follow the functions of all modules,
 * because each run has different ones: all other numbers are then the same in all recordings of a
 * program.
 */
typedef struct mapping {
  uint32_t base; /* number of the module itself; its functions follow */
  uint32_t room; /* number of function indices reserved: up to the largest */
  uint64_t first_guest;
  uint32_t guest_base;
  uint32_t guest_room;
  uint32_t start; /* new index of the profile's root */
} mapping;

static bool has_place(const mapping *map, uint32_t function) {
  return wi_is_guest(map->first_guest, function) ? function - map->first_guest < map->guest_room
                                                 : function < map->room;
}

/* Whether to add the function in this pass: functions are added in order of their new numbers. */
static bool is_wanted(const mapping *map, uint32_t function, bool guests) {
  return has_place(map, function) && wi_is_guest(map->first_guest, function) == guests;
}

static uint32_t map_function(const mapping *map, uint32_t function) {
  return wi_is_guest(map->first_guest, function)
             ? map->guest_base + (function - (uint32_t)map->first_guest)
             : map->base + 1 + function;
}

/* Computes all fields except positions. */
static mapping measure_functions(const wasm_perf_profile *profile) {
  mapping map = {.room = profile->header.function_count, .first_guest = profile->facts.first_guest};
  if (map.first_guest != 0 && map.first_guest < WASM_PERF_FUNCTION_UNHOOKED)
    map.room = (uint32_t)map.first_guest;
  for (uint32_t i = 1; i < profile->header.node_count; i++) {
    uint32_t function = profile->nodes[i].function;
    if (function >= WASM_PERF_FUNCTION_UNHOOKED || has_place(&map, function))
      continue;
    if (wi_is_guest(map.first_guest, function))
      map.guest_room = function - (uint32_t)map.first_guest + 1;
    else
      map.room = function + 1;
  }
  return map;
}

static bool check(const wasm_perf_profile *const *profiles, size_t count, mapping *maps,
                  uint64_t *node_count, wasm_perf_mismatch *mismatch) {
  const wasm_perf_header *first = &profiles[0]->header;
  uint64_t room = 0;
  *node_count = 1;
  for (size_t i = 0; i < count; i++) {
    const wasm_perf_header *header = &profiles[i]->header;
    if (!wi_clocks_match(first, header, i, mismatch))
      return false;
    if (header->ticks_per_second != first->ticks_per_second)
      return wi_mismatch_set(mismatch, i, "its clock has a different tick rate");
    maps[i] = measure_functions(profiles[i]);
    room += (uint64_t)maps[i].room + 1 + maps[i].guest_room;
    *node_count += header->node_count;
    if (room >= WASM_PERF_FUNCTION_UNHOOKED || *node_count > UINT32_MAX)
      return wi_mismatch_set(mismatch, i, "there are too many functions or nodes");
  }
  return true;
}

/* Returns the first guest function; 0 if there is none. */
static uint32_t place_functions(mapping *maps, size_t count) {
  uint32_t next = 0;
  for (size_t i = 0; i < count; i++) {
    maps[i].base = next;
    next += maps[i].room + 1;
  }
  uint32_t first_guest = next;
  for (size_t i = 0; i < count; i++) {
    maps[i].guest_base = next;
    next += maps[i].guest_room;
  }
  return next > first_guest ? first_guest : 0;
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

/* Appends the profile's nodes. */
static void add_nodes(wasm_perf_profile *result, const wasm_perf_profile *profile,
                      const mapping *map) {
  uint32_t start = result->header.node_count;
  result->nodes[start] = (wasm_perf_node){.function = map->base};
  for (uint32_t i = 1; i < profile->header.node_count; i++) {
    wasm_perf_node node = profile->nodes[i];
    if (node.function < WASM_PERF_FUNCTION_UNHOOKED)
      node.function = map_function(map, node.function);
    node.parent += start;
    result->nodes[start + i] = node;
  }
  result->header.node_count += profile->header.node_count;
}

static bool add_names(wasm_perf_profile *result, const wasm_perf_profile *profile,
                      const mapping *map, bool guests) {
  for (uint32_t i = 0; i < profile->header.name_count; i++) {
    const wasm_perf_name *name = &profile->names[i];
    if (is_wanted(map, name->function, guests) &&
        !wi_name_set(result, map_function(map, name->function), name->text, name->confidence))
      return false;
  }
  return true;
}

/* Adds places, blocks, kinds and functions with unknown calls. */
static bool add_facts(wasm_perf_profile *result, const wasm_perf_profile *profile,
                      const mapping *map, bool guests) {
  for (uint32_t i = 0; i < profile->place_count; i++) {
    const wasm_perf_place *place = &profile->places[i];
    if (is_wanted(map, place->function, guests) &&
        !wi_place_copy(result, map_function(map, place->function), place))
      return false;
  }
  for (uint32_t i = 0; i < profile->block_function_count; i++) {
    const wasm_perf_blocks *blocks = &profile->blocks[i];
    if (is_wanted(map, blocks->function, guests) &&
        !wasm_perf_profile_add_blocks(result, map_function(map, blocks->function), blocks->counts,
                                      blocks->count))
      return false;
  }
  for (uint32_t i = 0; i < profile->kind_count; i++)
    if (is_wanted(map, profile->kinds[i].function, guests) &&
        !wasm_perf_profile_set_kind(result, map_function(map, profile->kinds[i].function),
                                    (wasm_perf_kind)profile->kinds[i].kind))
      return false;
  for (uint32_t i = 0; i < profile->uncounted_count; i++)
    if (is_wanted(map, profile->uncounted[i], guests) &&
        !wasm_perf_profile_set_uncounted(result, map_function(map, profile->uncounted[i])))
      return false;
  return true;
}

static const char *path_of(const wasm_perf_lines *lines, uint32_t file) {
  return file == WASM_PERF_NO_FILE ? NULL : lines->files[file];
}

/* An inlined function's number, 0 for none, after `count` others. */
static uint32_t map_inlined(uint32_t inlined, uint32_t count) {
  return inlined == 0 ? 0 : inlined + count;
}

static bool add_branches(wasm_perf_profile *result, const wasm_perf_lines *lines,
                         const mapping *map) {
  for (uint32_t i = 0; i < lines->branch_count; i++) {
    wasm_perf_branch branch = lines->branches[i];
    branch.function = map_function(map, branch.function);
    if (!wasm_perf_profile_add_branch(result, path_of(lines, branch.file), &branch))
      return false;
  }
  return true;
}

/* Adds lines with their files and inlined functions, and the mix of instructions. */
static bool add_lines(wasm_perf_profile *result, const wasm_perf_profile *profile,
                      const mapping *map) {
  const wasm_perf_lines *lines = &profile->lines;
  uint32_t inlined_count = result->lines.inlined_count, line_count = result->lines.count;
  for (uint32_t i = 0; i < lines->inlined_count; i++) {
    wasm_perf_inlined inlined = lines->inlined[i];
    inlined.outer = map_inlined(inlined.outer, inlined_count);
    if (!wasm_perf_profile_add_inlined(result, &inlined, path_of(lines, inlined.file),
                                       path_of(lines, inlined.call_file)))
      return false;
  }
  for (uint32_t i = 0; i < lines->count; i++) {
    wasm_perf_line line = lines->items[i];
    line.function = map_function(map, line.function);
    line.inlined = map_inlined(line.inlined, inlined_count);
    if (!wasm_perf_profile_add_line(result, path_of(lines, line.file), &line))
      return false;
  }
  for (uint32_t i = 0; i < lines->call_count; i++) {
    wasm_perf_line_call call = lines->calls[i];
    call.line += line_count;
    if (call.callee != WASM_PERF_ANY_CALLEE && !has_place(map, call.callee))
      continue; /* it was not called */
    if (call.callee != WASM_PERF_ANY_CALLEE)
      call.callee = map_function(map, call.callee);
    if (!wasm_perf_profile_add_line_call(result, &call))
      return false;
  }
  for (uint32_t i = 0; i < lines->file_count; i++)
    if (lines->sources[i] &&
        !wasm_perf_profile_set_source(result, lines->files[i], lines->sources[i]))
      return false;
  for (int i = 0; i < WASM_PERF_MIX_COUNT; i++)
    result->lines.mix[i] = wi_saturating_add(result->lines.mix[i], lines->mix[i]);
  return true;
}

static bool add_tree(wasm_perf_profile *result, const wasm_perf_profile *profile, mapping *map) {
  uint32_t start = map->start = result->header.node_count;
  add_header(&result->header, &profile->header);
  add_nodes(result, profile, map);
  if (result->facts.run_time < profile->facts.run_time)
    result->facts.run_time = profile->facts.run_time;
  return wi_node_facts_append(result, profile, start);
}

static bool add_threads(wasm_perf_profile *result, const wasm_perf_profile *const *profiles,
                        const mapping *maps, size_t count) {
  uint32_t *starts = calloc(count, sizeof *starts);
  for (size_t i = 0; starts && i < count; i++)
    starts[i] = maps[i].start;
  bool done = starts && wi_threads_merge(result, profiles, starts, count);
  free(starts);
  return done;
}

/* Adds the module, or the modules of a profile that was joined itself. */
static bool add_modules(wasm_perf_profile *result, const wasm_perf_profile *profile,
                        const char *label, const mapping *map) {
  if (profile->joined_count == 0)
    return wi_joined_add(result, map->base, map->room, label, strlen(label));
  for (uint32_t i = 0; i < profile->joined_count; i++) {
    const wasm_perf_module *module = &profile->joined[i];
    if (!wi_joined_add(result, map_function(map, module->function), module->count, module->name,
                       strlen(module->name)))
      return false;
  }
  return true;
}

static bool fill(wasm_perf_profile *result, const wasm_perf_profile *const *profiles,
                 const char *const *labels, mapping *maps, size_t count) {
  result->nodes[0] = (wasm_perf_node){.function = WASM_PERF_FUNCTION_ROOT};
  init_header(&result->header, &profiles[0]->header);
  result->facts.first_guest = place_functions(maps, count);
  bool ok = true;
  for (size_t i = 0; ok && i < count; i++)
    ok = wasm_perf_profile_set_name(result, maps[i].base, labels[i]) &&
         add_modules(result, profiles[i], labels[i], &maps[i]) &&
         add_tree(result, profiles[i], &maps[i]) &&
         add_names(result, profiles[i], &maps[i], false) &&
         add_facts(result, profiles[i], &maps[i], false) &&
         add_lines(result, profiles[i], &maps[i]) &&
         add_branches(result, &profiles[i]->lines, &maps[i]);
  result->facts.counts_edges = 1;
  for (size_t i = 0; i < count; i++)
    result->facts.counts_edges &= profiles[i]->facts.counts_edges;
  for (size_t i = 0; ok && i < count; i++)
    ok = add_names(result, profiles[i], &maps[i], true) &&
         add_facts(result, profiles[i], &maps[i], true);
  return ok && wi_calls_sort(result) && wi_measures_merge_times(result, profiles, count) &&
         add_threads(result, profiles, maps, count);
}

wasm_perf_profile *wasm_perf_profile_join(const wasm_perf_profile *const *profiles,
                                          const char *const *labels, size_t count,
                                          wasm_perf_mismatch *mismatch) {
  uint64_t node_count;
  mapping *maps = calloc(count, sizeof *maps);
  wasm_perf_profile *result = calloc(1, sizeof *result);
  bool ok = maps && result;
  if (!ok)
    wi_mismatch_set(mismatch, count, "out of memory");
  ok = ok && check(profiles, count, maps, &node_count, mismatch);
  if (ok) {
    result->nodes = wi_large_alloc((size_t)node_count * sizeof *result->nodes);
    ok = (result->nodes && fill(result, profiles, labels, maps, count)) ||
         wi_mismatch_set(mismatch, count, "out of memory");
    ok = ok && wi_merge_run_texts(result, profiles, count, mismatch);
  }
  free(maps);
  if (ok)
    return result;
  wasm_perf_profile_free(result);
  return NULL;
}
