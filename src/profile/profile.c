#include "wasm_perf/profile.h"

#include <stdlib.h>
#include <string.h>

#include "runtime/native.h"
#include "support/utf8.h"

#define REPLACEMENT      "\xEF\xBF\xBD" /* U+FFFD */
#define REPLACEMENT_SIZE (sizeof REPLACEMENT - 1)

void wasm_perf_profile_free(wasm_perf_profile *profile) {
  if (!profile)
    return;
  for (uint32_t i = 0; i < profile->header.name_count; i++)
    free(profile->names[i].text);
  free(profile->names);
  free(profile->nodes);
  free(profile);
}

/* ---- Names -------------------------------------------------------------- */

/* The index of the first name that is not of a smaller function. */
static uint32_t name_position(const wasm_perf_profile *profile, uint32_t function) {
  uint32_t low = 0, high = profile->header.name_count;
  if (high > 0 && profile->names[high - 1].function < function)
    return high; /* names usually arrive in order */
  while (low < high) {
    uint32_t middle = low + (high - low) / 2;
    if (profile->names[middle].function < function)
      low = middle + 1;
    else
      high = middle;
  }
  return low;
}

static bool is_named(const wasm_perf_profile *profile, uint32_t position, uint32_t function) {
  return position < profile->header.name_count && profile->names[position].function == function;
}

const char *wasm_perf_profile_name(const wasm_perf_profile *profile, uint32_t function) {
  uint32_t position = name_position(profile, function);
  return is_named(profile, position, function) ? profile->names[position].text : NULL;
}

/* A copy of `size` bytes, each that is not UTF-8 replaced, with a terminator. */
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

/* The array has room for as many names as there are, rounded up to a power of two. */
static bool reserve_name(wasm_perf_profile *profile) {
  size_t count = profile->header.name_count;
  if ((count & (count - 1)) != 0)
    return true;
  size_t capacity = count == 0 ? 1 : count * 2;
  wasm_perf_name *names = realloc(profile->names, capacity * sizeof *names);
  if (!names)
    return false;
  profile->names = names;
  return true;
}

/* Takes over `text`, which may be NULL: then memory was short, and it fails. */
static bool insert_name(wasm_perf_profile *profile, uint32_t position, uint32_t function,
                        char *text) {
  if (!text || !reserve_name(profile)) {
    free(text);
    return false;
  }
  wasm_perf_name *name = &profile->names[position];
  memmove(name + 1, name, (profile->header.name_count - position) * sizeof *name);
  *name = (wasm_perf_name){function, text};
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
  profile->names[position].text = copy;
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
