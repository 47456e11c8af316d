#include "cli/perf/input/parts.h"

#include <stdlib.h>
#include <string.h>

#include "cli/common/file.h"
#include "profile/stacks.h"
#include "samples/lay.h"
#include "samples/scripts.h"
#include "samples/thread.h"

typedef struct join {
  wasm_perf_profile **profiles;
  char *const *paths;
  size_t count;
  cli_part_completer *complete; /* or NULL */
  wasm_perf_profile **sums;     /* one for each module */
  cli_list labels;
} join;

/* The number of names of the module's own functions. */
static uint32_t own_name_count(const wasm_perf_profile *profile) {
  uint64_t first_guest = profile->facts.first_guest;
  uint32_t count = profile->header.name_count;
  while (first_guest > 0 && count > 0 && profile->names[count - 1].function >= first_guest)
    count--;
  return count;
}

/* Whether a function has two names. One that has no name in a profile fits any. */
static bool differ_in_names(const wasm_perf_profile *a, const wasm_perf_profile *b) {
  uint32_t a_count = own_name_count(a), b_count = own_name_count(b);
  for (uint32_t i = 0, j = 0; i < a_count && j < b_count;) {
    const wasm_perf_name *one = &a->names[i], *other = &b->names[j];
    if (one->function == other->function && *one->text != 0 && *other->text != 0 &&
        strcmp(one->text, other->text) != 0)
      return true;
    i += one->function <= other->function;
    j += other->function <= one->function;
  }
  return false;
}

/* Modules with different names may have the same code, and so the same identity. */
static bool is_same_module(const wasm_perf_profile *a, const wasm_perf_profile *b) {
  return a->facts.identity && b->facts.identity &&
         strcmp(a->facts.identity, b->facts.identity) == 0 && !differ_in_names(a, b);
}

/* Adds the module's name; repeated names get a number. */
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
  size_t *indices; /* indices in the join */
  size_t count;
} group;

/* Collects the profile at `first` and the later profiles of the same module, and marks them taken. */
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

/* Moves a profile without copying it, as it may be large. NULL if memory ran out. */
static wasm_perf_profile *take_over(join *work, size_t index) {
  wasm_perf_profile *profile = work->profiles[index];
  if (!wi_stacks_fold(profile))
    return NULL;
  work->profiles[index] = NULL;
  return profile;
}

static wasm_perf_profile *add_up(join *work, const group *found, wasm_perf_mismatch *mismatch) {
  bool has_lines = found->profiles[0]->lines.count > 0; /* sums do not keep them */
  return found->count == 1 && !has_lines
             ? take_over(work, found->indices[0])
             : wasm_perf_profile_merge(found->profiles, found->count, mismatch);
}

/* Adds up the profile at `first` and the others of its module. */
static bool add_group(join *work, size_t first, bool apart, bool *taken) {
  group found = {.profiles = calloc(work->count, sizeof *found.profiles),
                 .indices = calloc(work->count, sizeof *found.indices)};
  wasm_perf_mismatch mismatch = {.index = SIZE_MAX, .message = "out of memory"};
  wasm_perf_profile *sum = NULL;
  if (found.profiles && found.indices) {
    find_group(work, first, apart, taken, &found);
    sum = add_up(work, &found, &mismatch);
  }
  if (sum && work->complete)
    work->complete(sum, work->paths[first]);
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

/* Joins the sums into one profile; a sum that is returned as it is leaves the list. */
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

/* ---- Samples of threads -------------------------------------------------- */

/* Finds the first function of each sum in the joined profile, where each has a frame of its own. */
static size_t find_bases(const join *work, const wasm_perf_profile *result, wi_module_base *bases) {
  size_t count = 0;
  if (work->labels.count == 1) {
    bases[0] = (wi_module_base){result->facts.identity, 0};
    return 1;
  }
  for (uint32_t i = 1; i < result->header.node_count; i++)
    if (result->nodes[i].parent == 0 && count < work->labels.count) {
      bases[count] =
          (wi_module_base){work->sums[count]->facts.identity, result->nodes[i].function + 1};
      count++;
    }
  return count;
}

/* The functions of a module that wait, from its sum; NULL if there are none. */
static const char *waiting_of(const join *work, const wasm_perf_profile *result, size_t index) {
  return work->labels.count == 1 ? result->facts.waiting : work->sums[index]->facts.waiting;
}

/* Sets times from the samples of all threads; false if memory ran out. */
static bool lay_threads(const join *work, wasm_perf_profile *result,
                        wasm_perf_profile *const *threads, size_t thread_count) {
  wi_samples samples = {0};
  wi_samples_match match;
  uint64_t hooks_sampled = result->facts.hooks_sampled;
  wi_module_base *bases = calloc(work->count + 1, sizeof *bases);
  size_t base_count = bases ? find_bases(work, result, bases) : 0;
  bool done = bases && wi_samples_init(&samples);
  for (size_t i = 0; done && i < base_count; i++)
    done = !waiting_of(work, result, i) ||
           wi_samples_add_waiting(&samples, waiting_of(work, result, i), bases[i].function);
  for (size_t i = 0; done && i < thread_count; i++)
    done = wi_samples_add_thread(&samples, threads[i], bases, base_count);
  done = done && wi_scripts_place(&samples, wi_file_read_regular) &&
         wi_samples_lay(&samples, result, true, &match);
  result->facts.hooks_sampled = hooks_sampled;
  wi_samples_clear(&samples);
  free(bases);
  return done;
}

/* Moves the profiles of modules to the front and returns their number. */
static size_t sort_parts(wasm_perf_profile **profiles, char **paths, size_t count) {
  size_t module_count = 0;
  for (size_t i = 0; i < count; i++) {
    wasm_perf_profile *profile = profiles[i];
    char *path = paths[i];
    if (profile->module_count > 0)
      continue;
    memmove(profiles + module_count + 1, profiles + module_count,
            (i - module_count) * sizeof *profiles);
    memmove(paths + module_count + 1, paths + module_count, (i - module_count) * sizeof *paths);
    profiles[module_count] = profile;
    paths[module_count++] = path;
  }
  return module_count;
}

/* The sum of profiles of modules. */
static wasm_perf_profile *join_modules(join *work, bool apart) {
  bool *taken = calloc(work->count + 1, sizeof *taken);
  work->sums = calloc(work->count + 1, sizeof *work->sums);
  bool done = taken && work->sums;
  if (!done)
    cli_error(NULL, "out of memory");
  for (size_t i = 0; done && i < work->count; i++)
    done = taken[i] || add_group(work, i, apart, taken);
  free(taken);
  return done ? join_sums(work) : NULL;
}

wasm_perf_profile *cli_parts_join(wasm_perf_profile **profiles, char *const *paths, size_t count,
                                  bool apart, cli_part_completer *complete) {
  char **sorted = calloc(count + 1, sizeof *sorted);
  if (!sorted) {
    cli_error(NULL, "out of memory");
    return NULL;
  }
  memcpy(sorted, paths, count * sizeof *sorted);
  join work = {.profiles = profiles, .paths = sorted, .complete = complete};
  work.count = sort_parts(profiles, sorted, count);
  wasm_perf_profile *result = work.count > 0 ? join_modules(&work, apart) : NULL;
  if (result && !apart && work.count < count &&
      !lay_threads(&work, result, profiles + work.count, count - work.count)) {
    cli_error(NULL, "out of memory");
    wasm_perf_profile_free(result);
    result = NULL;
  }
  for (size_t i = 0; work.sums && i < work.count; i++)
    wasm_perf_profile_free(work.sums[i]);
  cli_list_clear(&work.labels);
  free(work.sums);
  free(sorted);
  return result;
}
