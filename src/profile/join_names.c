#include "profile/join_names.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "profile/names.h"

/* A function with a name. */
typedef struct named {
  const char *text; /* owned by the profile */
  uint32_t function;
  uint32_t module; /* index */
} named;

static int compare_texts(const void *left, const void *right) {
  const named *a = left, *b = right;
  int order = strcmp(a->text, b->text);
  return order != 0 ? order : (a->function > b->function) - (a->function < b->function);
}

/* Collects the names of the modules' functions; both are in index order. Returns their number. */
static size_t collect(const wasm_perf_profile *profile, const uint32_t *bases, size_t count,
                      uint32_t end, named *list) {
  size_t found = 0, module = 0;
  for (uint32_t i = 0; i < profile->header.name_count; i++) {
    const wasm_perf_name *name = &profile->names[i];
    while (module + 1 < count && bases[module + 1] <= name->function)
      module++;
    if (name->function != bases[module] && name->function < end)
      list[found++] = (named){name->text, name->function, (uint32_t)module};
  }
  return found;
}

static bool mark(wasm_perf_profile *profile, const named *item, const char *label) {
  size_t size = strlen(item->text) + strlen(WI_IN_MODULE) + strlen(label) + 2;
  char *text = malloc(size);
  if (!text)
    return false;
  snprintf(text, size, "%s" WI_IN_MODULE "%s)", item->text, label);
  bool done = wi_name_set(profile, item->function, text,
                          wasm_perf_profile_confidence(profile, item->function));
  free(text);
  return done;
}

/*
 * Finds the end of the run of equal names from `from` on. *several is set if they belong to several
 * modules.
 */
static size_t find_end(const named *list, size_t from, size_t count, bool *several) {
  size_t to = from + 1;
  *several = false;
  for (; to < count && strcmp(list[from].text, list[to].text) == 0; to++)
    *several |= list[to].module != list[from].module;
  return to;
}

bool wi_join_names_mark(wasm_perf_profile *profile, const uint32_t *bases,
                        const char *const *labels, size_t count, uint32_t end) {
  named *list = malloc((profile->header.name_count + (size_t)1) * sizeof *list);
  if (!list)
    return false;
  size_t found = collect(profile, bases, count, end, list);
  qsort(list, found, sizeof *list, compare_texts);
  bool done = true, several;
  for (size_t from = 0, to; done && from < found; from = to) {
    to = find_end(list, from, found, &several);
    for (size_t i = from; several && done && i < to; i++)
      done = mark(profile, &list[i], labels[list[i].module]);
  }
  free(list);
  return done;
}
