/*
 * Profiles in memory: names, places and texts of a wasm_perf_profile, and taking one from a
 * context.
 */
#include "wasm_perf/profile.h"

#include <stdlib.h>
#include <string.h>

#include "profile/blocks.h"
#include "profile/calls.h"
#include "profile/functions.h"
#include "profile/threads.h"
#include "runtime/native.h"
#include "support/search.h"
#include "support/utf8.h"

#define REPLACEMENT      "\xEF\xBF\xBD" /* U+FFFD */
#define REPLACEMENT_SIZE (sizeof REPLACEMENT - 1)

static void free_modules(wasm_perf_module *modules, uint32_t count) {
  for (uint32_t i = 0; i < count; i++)
    free(modules[i].name);
  free(modules);
}

void wasm_perf_profile_free(wasm_perf_profile *profile) {
  if (!profile)
    return;
  for (uint32_t i = 0; i < profile->header.name_count; i++)
    free(profile->names[i].text);
  for (uint32_t i = 0; i < profile->place_count; i++)
    free(profile->places[i].file);
#define FREE_TEXT(field, key) free(profile->facts.field);
  WASM_PERF_TEXT_FACTS(FREE_TEXT)
#undef FREE_TEXT
  wi_blocks_clear(profile);
  free(profile->places);
  free(profile->uncounted);
  free(profile->kinds);
  free(profile->shared);
  free_modules(profile->modules, profile->module_count);
  free_modules(profile->joined, profile->joined_count);
  wi_threads_clear(profile);
  wi_calls_clear(profile);
  free(profile->rows);
  free(profile->moments);
  free(profile->names);
  free(profile->nodes);
  free(profile);
}

/* ---- Names -------------------------------------------------------------- */

/* Position of the function's name, or where to insert it. */
static uint32_t name_position(const wasm_perf_profile *profile, uint32_t function) {
  return WI_LOWER_BOUND(wasm_perf_name, profile->names, profile->header.name_count, function,
                        function);
}

static bool is_named(const wasm_perf_profile *profile, uint32_t position, uint32_t function) {
  return position < profile->header.name_count && profile->names[position].function == function;
}

const char *wasm_perf_profile_name(const wasm_perf_profile *profile, uint32_t function) {
  uint32_t position = name_position(profile, function);
  return is_named(profile, position, function) ? profile->names[position].text : NULL;
}

bool wasm_perf_profile_has_names(const wasm_perf_profile *profile) {
  const wasm_perf_header *header = &profile->header;
  return header->name_count > 0 &&
         (header->function_count == 0 || profile->names[0].function < wi_functions_end(profile));
}

/* Copies `size` bytes, replacing invalid UTF-8 and adding a terminator. */
static char *clean_copy(const char *text, size_t size) {
  char *copy = malloc(size * REPLACEMENT_SIZE + 1);
  if (!copy)
    return NULL;
  char *end = copy;
  while (size > 0) {
    size_t valid_size = wi_utf8_check((const uint8_t *)text, size);
    memcpy(end, text, valid_size);
    end += valid_size;
    text += valid_size;
    size -= valid_size;
    if (size > 0) {
      memcpy(end, REPLACEMENT, REPLACEMENT_SIZE);
      end += REPLACEMENT_SIZE;
      text++;
      size--;
    }
  }
  *end = '\0';
  char *fitting = realloc(copy, (size_t)(end - copy) + 1);
  return fitting ? fitting : copy;
}

/*
 * Makes room for one more item after `count`; the capacity is a power of two. NULL: out of memory.
 */
static void *with_room(void *items, size_t count, size_t item_size) {
  if ((count & (count - 1)) != 0)
    return items;
  return realloc(items, (count == 0 ? 1 : count * 2) * item_size);
}

static bool reserve_name(wasm_perf_profile *profile) {
  wasm_perf_name *names = with_room(profile->names, profile->header.name_count, sizeof *names);
  if (!names)
    return false;
  profile->names = names;
  return true;
}

/* Takes ownership of `text`. Fails if it is NULL, the result of a failed allocation. */
static bool insert_name(wasm_perf_profile *profile, uint32_t position, uint32_t function,
                        char *text) {
  if (!text || !reserve_name(profile)) {
    free(text);
    return false;
  }
  wasm_perf_name *name = &profile->names[position];
  memmove(name + 1, name, (profile->header.name_count - position) * sizeof *name);
  *name = (wasm_perf_name){function, 0, text};
  profile->header.name_count++;
  return true;
}

bool wasm_perf_profile_set_name(wasm_perf_profile *profile, uint32_t function, const char *text) {
  return wasm_perf_profile_set_name_n(profile, function, text, strlen(text));
}

bool wasm_perf_profile_set_name_n(wasm_perf_profile *profile, uint32_t function, const char *text,
                                  size_t size) {
  uint32_t position = name_position(profile, function);
  char *copy = clean_copy(text, size);
  if (!is_named(profile, position, function))
    return insert_name(profile, position, function, copy);
  if (!copy)
    return false;
  free(profile->names[position].text);
  profile->names[position] = (wasm_perf_name){function, 0, copy};
  return true;
}

bool wasm_perf_profile_set_confidence(wasm_perf_profile *profile, uint32_t function,
                                      uint32_t thousandths) {
  uint32_t position = name_position(profile, function);
  if (!is_named(profile, position, function) || thousandths < 1 || thousandths > 1000)
    return false;
  profile->names[position].confidence = thousandths;
  return true;
}

uint32_t wasm_perf_profile_confidence(const wasm_perf_profile *profile, uint32_t function) {
  uint32_t position = name_position(profile, function);
  return is_named(profile, position, function) ? profile->names[position].confidence : 0;
}

/* ---- Facts and places ---------------------------------------------------- */

bool wasm_perf_profile_set_text(wasm_perf_profile *profile, wasm_perf_fact key, const char *text,
                                size_t size) {
  char **place = NULL;
#define FIND_TEXT(field, number)                                                                   \
  if (key == number)                                                                               \
    place = &profile->facts.field;
  WASM_PERF_TEXT_FACTS(FIND_TEXT)
#undef FIND_TEXT
  char *copy = place ? clean_copy(text, size) : NULL;
  if (!copy)
    return false;
  free(*place);
  *place = copy;
  return true;
}

/* Position of the function's place, or where to insert it. */
static uint32_t place_position(const wasm_perf_profile *profile, uint32_t function) {
  return WI_LOWER_BOUND(wasm_perf_place, profile->places, profile->place_count, function, function);
}

const wasm_perf_place *wasm_perf_profile_place(const wasm_perf_profile *profile,
                                               uint32_t function) {
  uint32_t position = place_position(profile, function);
  bool is_there = position < profile->place_count && profile->places[position].function == function;
  return is_there ? &profile->places[position] : NULL;
}

bool wasm_perf_profile_set_place(wasm_perf_profile *profile, uint32_t function, uint32_t line,
                                 const char *file, size_t size) {
  if (wasm_perf_profile_place(profile, function))
    return true;
  wasm_perf_place *places = with_room(profile->places, profile->place_count, sizeof *places);
  if (!places)
    return false;
  profile->places = places;
  char *copy = clean_copy(file, size);
  if (!copy)
    return false;
  wasm_perf_place *place = &places[place_position(profile, function)];
  memmove(place + 1, place, (size_t)(places + profile->place_count - place) * sizeof *place);
  *place = (wasm_perf_place){.function = function, .line = line, .file = copy};
  profile->place_count++;
  return true;
}

/* ---- Taking ------------------------------------------------------------- */

wasm_perf_profile *wasm_perf_profile_take(wasm_perf_context *context) {
  const wasm_perf_header *header = wi_snapshot(context);
  wasm_perf_profile *profile = calloc(1, sizeof *profile);
  if (!profile)
    return NULL;
  profile->nodes = malloc(header->node_count * sizeof *profile->nodes);
  if (!profile->nodes) {
    free(profile);
    return NULL;
  }
  profile->header = *header;
  memcpy(profile->nodes, (const wasm_perf_node *)(header + 1),
         header->node_count * sizeof *profile->nodes);
  return profile;
}
