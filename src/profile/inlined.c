#include "profile/inlined.h"

#include <stdlib.h>
#include <string.h>

typedef struct named {
  const wasm_perf_inlined *inlined;
  uint32_t index;
} named;

static int compare_functions(const named *a, const named *b) {
  int order = strcmp(a->inlined->name, b->inlined->name);
  if (order != 0)
    return order;
  if (a->inlined->file != b->inlined->file)
    return a->inlined->file < b->inlined->file ? -1 : 1;
  return (a->inlined->line > b->inlined->line) - (a->inlined->line < b->inlined->line);
}

static int compare_named(const void *left, const void *right) {
  const named *a = left, *b = right;
  int order = compare_functions(a, b);
  return order ? order : (a->index > b->index) - (a->index < b->index);
}

static void number_functions(wi_inlined_functions *functions, named *all, uint32_t count) {
  if (count > 0)
    qsort(all, count, sizeof *all, compare_named);
  for (uint32_t i = 0; i < count; i++) {
    if (i == 0 || compare_functions(&all[i - 1], &all[i]) != 0)
      functions->firsts[functions->count++] = all[i].index;
    functions->of[all[i].index] = functions->count - 1;
  }
}

bool wi_inlined_functions_init(wi_inlined_functions *functions, const wasm_perf_profile *profile) {
  uint32_t count = profile->lines.inlined_count;
  named *all = calloc(count + (size_t)1, sizeof *all);
  *functions = (wi_inlined_functions){.of = calloc(count + (size_t)1, sizeof(uint32_t)),
                                      .firsts = calloc(count + (size_t)1, sizeof(uint32_t))};
  bool done = all && functions->of && functions->firsts;
  if (done) {
    for (uint32_t i = 0; i < count; i++)
      all[i] = (named){&profile->lines.inlined[i], i};
    number_functions(functions, all, count);
  } else {
    wi_inlined_functions_clear(functions);
  }
  free(all);
  return done;
}

void wi_inlined_functions_clear(wi_inlined_functions *functions) {
  free(functions->of);
  free(functions->firsts);
  *functions = (wi_inlined_functions){0};
}
