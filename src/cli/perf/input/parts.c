#include "cli/perf/input/parts.h"

#include <stdlib.h>
#include <string.h>

#include "profile/stacks.h"

typedef struct join {
  wasm_perf_profile **profiles;
  char *const *paths;
  size_t count;
  wasm_perf_profile **sums; /* one for each module */
  cli_list labels;
} join;

static bool is_same_module(const wasm_perf_profile *a, const wasm_perf_profile *b) {
  return a->facts.identity && b->facts.identity &&
         strcmp(a->facts.identity, b->facts.identity) == 0;
}

/* Module names; a repeated one is followed by a number. */
static void add_label(join *work, const wasm_perf_profile *profile) {
  const char *name = profile->facts.module ? profile->facts.module : "module";
  size_t size = strlen(name);
  unsigned same = 1;
  for (size_t i = 0; i < work->labels.count; i++) {
    const char *label = work->labels.items[i];
    same += strncmp(label, name, size) == 0 && (label[size] == 0 || label[size] == ' ');
  }
  cli_list_add(&work->labels, same > 1 ? cli_text("%s #%u", name, same) : cli_text("%s", name));
}

/* Profiles of one module. */
typedef struct group {
  const wasm_perf_profile **profiles;
  size_t *indices; /* of them in the join */
  size_t count;
} group;

/* The profile at `first` with those like it that follow, which it marks as taken. */
static void find_group(const join *work, size_t first, bool apart, bool *taken, group *found) {
  for (size_t i = first; i < work->count; i++) {
    if (i != first &&
        (apart || taken[i] || !is_same_module(work->profiles[first], work->profiles[i])))
      continue;
    taken[i] = true;
    found->indices[found->count] = i;
    found->profiles[found->count++] = work->profiles[i];
  }
}

/* What is alone may be large: it is not copied. NULL: out of memory. */
static wasm_perf_profile *take_over(join *work, size_t index) {
  wasm_perf_profile *profile = work->profiles[index];
  if (!wi_stacks_fold(profile))
    return NULL;
  work->profiles[index] = NULL;
  return profile;
}

static wasm_perf_profile *add_up(join *work, const group *found, wasm_perf_mismatch *mismatch) {
  bool has_lines = found->profiles[0]->lines.count > 0; /* which no sum keeps */
  return found->count == 1 && !has_lines
             ? take_over(work, found->indices[0])
             : wasm_perf_profile_merge(found->profiles, found->count, mismatch);
}

/* Adds up the profile at `first` with those like it. */
static bool add_group(join *work, size_t first, bool apart, bool *taken) {
  group found = {.profiles = calloc(work->count, sizeof *found.profiles),
                 .indices = calloc(work->count, sizeof *found.indices)};
  wasm_perf_mismatch mismatch = {.index = SIZE_MAX, .message = "memory ran out"};
  wasm_perf_profile *sum = NULL;
  if (found.profiles && found.indices) {
    find_group(work, first, apart, taken, &found);
    sum = add_up(work, &found, &mismatch);
  }
  if (sum) {
    add_label(work, sum);
    work->sums[work->labels.count - 1] = sum;
  } else {
    bool has_culprit = mismatch.index < found.count;
    cli_error(has_culprit ? work->paths[found.indices[mismatch.index]] : NULL, "%s",
              mismatch.message);
  }
  free(found.profiles);
  free(found.indices);
  return sum != NULL;
}

/* The sums in one; takes what it returns out of them. */
static wasm_perf_profile *join_sums(join *work) {
  if (work->labels.count == 1) {
    wasm_perf_profile *only = work->sums[0];
    work->sums[0] = NULL;
    return only;
  }
  wasm_perf_mismatch mismatch;
  wasm_perf_profile *result = wasm_perf_profile_join((const wasm_perf_profile *const *)work->sums,
                                                     (const char *const *)work->labels.items,
                                                     work->labels.count, &mismatch);
  if (!result)
    cli_error(mismatch.index < work->labels.count ? work->labels.items[mismatch.index] : NULL, "%s",
              mismatch.message);
  return result;
}

wasm_perf_profile *cli_parts_join(wasm_perf_profile **profiles, char *const *paths, size_t count,
                                  bool apart) {
  join work = {.profiles = profiles, .paths = paths, .count = count};
  bool *taken = calloc(count, sizeof *taken);
  work.sums = calloc(count, sizeof *work.sums);
  bool done = taken && work.sums;
  if (!done)
    cli_error(NULL, "memory ran out");
  for (size_t i = 0; done && i < count; i++)
    done = taken[i] || add_group(&work, i, apart, taken);
  wasm_perf_profile *result = done ? join_sums(&work) : NULL;
  for (size_t i = 0; work.sums && i < count; i++)
    wasm_perf_profile_free(work.sums[i]);
  cli_list_clear(&work.labels);
  free(work.sums);
  free(taken);
  return result;
}
