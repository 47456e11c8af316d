/* Builds the map of code offsets, and looks up offsets. */
#include "rewrite/offset_map.h"

#include <stdlib.h>

#include "support/search.h"

void wi_offset_map_clear(wi_offset_map *map) {
  free(map->steps);
  *map = (wi_offset_map){0};
}

void wi_offset_map_begin(wi_offset_map *map, const wi_module *module, wi_span payload,
                         size_t output_start) {
  map->input_start = payload.offset;
  map->output_start = (uint32_t)output_start;
  map->end = payload.size;
  map->first = module->bodies_count > 0 ? module->bodies[0].offset - payload.offset : payload.size;
}

static void add_step(wi_offset_map *map, uint32_t from, int64_t delta) {
  wi_offset_step *last = map->steps_count > 0 ? &map->steps[map->steps_count - 1] : NULL;
  if ((last ? last->delta : 0) == delta)
    return;
  if (!last || last->from != from) {
    last = WI_ARRAY_PUSH(map, steps);
    if (!last) {
      map->failed = true;
      return;
    }
  }
  *last = (wi_offset_step){from, (int32_t)delta};
}

void wi_offset_map_add(wi_offset_map *map, wi_span body, size_t output, const wi_edits *edits) {
  if (!map->wanted)
    return;
  uint32_t start = body.offset - map->input_start;
  int64_t delta = (int64_t)output - map->output_start - start;
  add_step(map, start, delta);
  for (uint32_t i = 0; i < edits->items_count; i++) {
    const wi_edit *edit = &edits->items[i];
    delta += (int64_t)edit->bytes_size - edit->removed;
    add_step(map, edit->offset - map->input_start + (edit->removed ? edit->removed : 1), delta);
  }
}

/* Number of steps that start at or before `offset`. */
static uint32_t count_steps(const wi_offset_map *map, uint32_t offset, uint32_t hint) {
  enum { NEAR = 8 };
  const wi_offset_step *steps = map->steps;
  uint32_t count = map->steps_count;
  if (hint <= count && (hint == 0 || steps[hint - 1].from <= offset))
    for (uint32_t i = 0; i < NEAR; i++, hint++)
      if (hint == count || steps[hint].from > offset)
        return hint;
  return WI_LOWER_BOUND(wi_offset_step, steps, count, from, offset + UINT64_C(1));
}

uint32_t wi_offset_map_find(const wi_offset_map *map, uint32_t offset, uint32_t *hint) {
  uint32_t count = *hint = count_steps(map, offset, *hint);
  int64_t mapped = (int64_t)offset + (count > 0 ? map->steps[count - 1].delta : 0);
  if (count < map->steps_count) { /* within a number that became shorter */
    const wi_offset_step *next = &map->steps[count];
    int64_t limit = (int64_t)next->from + next->delta;
    if (mapped > limit)
      mapped = limit;
  }
  return (uint32_t)mapped;
}
