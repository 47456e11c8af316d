#include "report/model/label_places.h"

#include <stdlib.h>
#include <string.h>

/* A label, and the path of its file. */
typedef struct file_use {
  char *path;
  uint32_t label;
} file_use;

static char *clean_path(const char *file) {
  char clean[WI_LABEL_MAX_SIZE + 1];
  wi_label_clean(clean, file, 0);
  size_t size = strlen(clean) + 1;
  char *copy = malloc(size);
  return copy ? memcpy(copy, clean, size) : NULL;
}

/*
 * Collects *count uses, one per label with a place. Returns false if memory ran out; *count are
 * then filled in.
 */
static bool collect_uses(wi_label_places *places, const wi_labels *labels,
                         const wasm_perf_profile *profile, file_use *uses, uint32_t *count) {
  for (uint32_t i = 0; i < labels->functions.count; i++) {
    const wasm_perf_place *place = wasm_perf_profile_place(profile, labels->functions.items[i]);
    uint32_t label = labels->indices[i];
    if (!place || places->items[label].file != WI_NO_FILE)
      continue;
    places->items[label] = (wi_label_place){.file = 0, .line = place->line};
    uses[*count] = (file_use){clean_path(place->file), label};
    if (!uses[*count].path)
      return false;
    ++*count;
  }
  return true;
}

static int compare_paths(const void *left, const void *right) {
  return strcmp(((const file_use *)left)->path, ((const file_use *)right)->path);
}

/* Takes ownership of the paths; frees duplicates. */
static void number_files(wi_label_places *places, file_use *uses, uint32_t count) {
  if (count > 0)
    qsort(uses, count, sizeof *uses, compare_paths);
  for (uint32_t i = 0; i < count; i++) {
    uint32_t last = places->file_count - 1;
    if (i > 0 && strcmp(places->files[last], uses[i].path) == 0)
      free(uses[i].path);
    else
      places->files[places->file_count++] = uses[i].path;
    places->items[uses[i].label].file = places->file_count - 1;
  }
}

bool wi_label_places_init(wi_label_places *places, const wi_labels *labels,
                          const wasm_perf_profile *profile) {
  size_t capacity = labels->count + (size_t)1;
  *places = (wi_label_places){.items = malloc(capacity * sizeof *places->items),
                              .files = malloc(capacity * sizeof *places->files)};
  file_use *uses = malloc(capacity * sizeof *uses);
  uint32_t count = 0;
  bool ok = places->items && places->files && uses;
  for (uint32_t i = 0; ok && i < labels->count; i++)
    places->items[i] = (wi_label_place){.file = WI_NO_FILE};
  ok = ok && collect_uses(places, labels, profile, uses, &count);
  if (ok)
    number_files(places, uses, count);
  while (!ok && count > 0)
    free(uses[--count].path);
  free(uses);
  if (!ok)
    wi_label_places_clear(places);
  return ok;
}

void wi_label_places_clear(wi_label_places *places) {
  for (uint32_t i = 0; i < places->file_count; i++)
    free(places->files[i]);
  free(places->files);
  free(places->items);
  *places = (wi_label_places){0};
}
