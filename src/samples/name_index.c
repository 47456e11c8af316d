#include "samples/name_index.h"

#include <stdlib.h>
#include <string.h>

#include "support/search.h"
#include "wasm_instrument/wasm_instrument.h"

#define LONGEST_NAME WI_READABLE_MAX_SIZE
#define NAMELESS     0x80000000u /* flag: the id of a nameless function; the rest is its index */

typedef struct key {
  char *text;        /* demangled, without blanks; owned */
  uint32_t position; /* index in the profile's names */
} key;

struct wi_name_index {
  const wasm_perf_profile *profile;
  bool has_indices;
  key *keys;       /* sorted by text, then position */
  wi_name_id *ids; /* per position: index of the first key with that text */
  uint32_t count;
};

/* Removes blanks, which demanglers place differently. */
static void remove_blanks(char *text) {
  char *end = text;
  for (; *text; text++)
    if (*text != ' ')
      *end++ = *text;
  *end = '\0';
}

static int compare_keys(const void *left, const void *right) {
  const key *a = left, *b = right;
  int order = strcmp(a->text, b->text);
  return order != 0 ? order : (a->position > b->position) - (a->position < b->position);
}

static int compare_with_key(const void *text, const void *item) {
  return strcmp(text, ((const key *)item)->text);
}

static bool make_key(key *made, const char *name, uint32_t position) {
  char text[LONGEST_NAME];
  *made = (key){strdup(wi_demangle(name, text, sizeof text) ? text : name), position};
  if (made->text)
    remove_blanks(made->text);
  return made->text != NULL;
}

static bool fill(wi_name_index *index) {
  for (uint32_t i = 0; i < index->profile->header.name_count; i++) {
    if (!make_key(&index->keys[i], index->profile->names[i].text, i))
      return false;
    index->count++;
  }
  qsort(index->keys, index->count, sizeof *index->keys, compare_keys);
  wi_name_id first = 0;
  for (uint32_t i = 0; i < index->count; i++) {
    if (i > 0 && strcmp(index->keys[i - 1].text, index->keys[i].text) != 0)
      first = i;
    index->ids[index->keys[i].position] = first;
  }
  return true;
}

wi_name_index *wi_name_index_new(const wasm_perf_profile *profile, bool has_indices) {
  wi_name_index *index = calloc(1, sizeof *index);
  if (!index)
    return NULL;
  size_t room = (size_t)profile->header.name_count + 1;
  *index = (wi_name_index){.profile = profile, .has_indices = has_indices};
  index->keys = calloc(room, sizeof *index->keys);
  index->ids = calloc(room, sizeof *index->ids);
  if (index->keys && index->ids && fill(index))
    return index;
  wi_name_index_free(index);
  return NULL;
}

void wi_name_index_free(wi_name_index *index) {
  if (!index)
    return;
  for (uint32_t i = 0; i < index->count; i++)
    free(index->keys[i].text);
  free(index->keys);
  free(index->ids);
  free(index);
}

wi_name_id wi_name_index_of_function(const wi_name_index *index, uint32_t function) {
  const wasm_perf_profile *profile = index->profile;
  uint32_t position = WI_LOWER_BOUND(wasm_perf_name, profile->names, profile->header.name_count,
                                     function, function);
  if (position < index->count && profile->names[position].function == function)
    return index->ids[position];
  return function < NAMELESS ? NAMELESS | function : WI_NO_FUNCTION;
}

/* Returns the id of the name; WI_NO_FUNCTION: there is no such function. */
static wi_name_id find_name(const wi_name_index *index, const wi_samples *samples,
                            const wi_sample_frame *frame) {
  char text[LONGEST_NAME], demangled[LONGEST_NAME];
  uint32_t size = frame->name_size;
  if (size == 0 || size >= sizeof text)
    return WI_NO_FUNCTION;
  const uint8_t *name = samples->names.data + frame->name_offset;
  if (memchr(name, '\0', size))
    return WI_NO_FUNCTION;
  memcpy(text, name, size);
  text[size] = '\0';
  char *wanted = wi_demangle(text, demangled, sizeof demangled) ? demangled : text;
  remove_blanks(wanted);
  uint32_t found =
      wi_lower_bound(wanted, index->keys, index->count, sizeof *index->keys, compare_with_key);
  bool is_there = found < index->count && strcmp(index->keys[found].text, wanted) == 0;
  return is_there ? found : WI_NO_FUNCTION;
}

wi_name_id wi_name_index_of_frame(const wi_name_index *index, const wi_samples *samples,
                                  const wi_sample_frame *frame, uint32_t *function) {
  wi_name_id by_name = find_name(index, samples, frame);
  if (index->has_indices && frame->function != WI_NO_FUNCTION) {
    uint64_t added = index->profile->facts.added_import_count; /* imports never have frames */
    if (added < NAMELESS && frame->function + added < NAMELESS) {
      *function = (uint32_t)(frame->function + added);
      wi_name_id by_index = wi_name_index_of_function(index, *function);
      if (frame->name_size == 0 || by_index == by_name || by_index >= NAMELESS)
        return by_index;
    }
  }
  if (by_name != WI_NO_FUNCTION)
    *function = index->profile->names[index->keys[by_name].position].function;
  return by_name;
}
