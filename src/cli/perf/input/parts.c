#include "cli/perf/input/parts.h"

#include <stdlib.h>
#include <string.h>

#include "cli/common/file.h"
#include "profile/stacks.h"
#include "samples/attribute.h"
#include "samples/scripts.h"
#include "samples/thread.h"
#include "support/arithmetic.h"

#define NONE UINT32_MAX

typedef struct join {
  wasm_perf_profile **profiles;
  char *const *paths;
  size_t count;
  cli_part_completer *complete; /* or NULL */
  wasm_perf_profile **sums;     /* one for each module */
  uint32_t *sum_of;             /* per profile: index of its sum; NONE: not added up yet */
  cli_list labels;
  cli_failure *failure;
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

/* Collects the profile at `first` and the later profiles of the same module for the next sum. */
static void find_group(const join *work, size_t first, bool apart, group *found) {
  for (size_t i = first; i < work->count; i++) {
    if (i != first && (apart || work->sum_of[i] != NONE ||
                       !is_same_module(work->profiles[first], work->profiles[i])))
      continue;
    work->sum_of[i] = (uint32_t)work->labels.count;
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
static bool add_group(join *work, size_t first, bool apart) {
  group found = {.profiles = calloc(work->count, sizeof *found.profiles),
                 .indices = calloc(work->count, sizeof *found.indices)};
  wasm_perf_mismatch mismatch = {.index = SIZE_MAX, .message = "out of memory"};
  wasm_perf_profile *sum = NULL;
  if (found.profiles && found.indices) {
    find_group(work, first, apart, &found);
    sum = add_up(work, &found, &mismatch);
  }
  if (sum && work->complete)
    work->complete(sum, work->paths[first]);
  if (sum) {
    add_label(work, sum);
    work->sums[work->labels.count - 1] = sum;
  } else {
    bool has_culprit = mismatch.index < found.count;
    cli_fail(work->failure, has_culprit ? work->paths[found.indices[mismatch.index]] : NULL, "%s",
             mismatch.message);
  }
  free(found.profiles);
  free(found.indices);
  return sum != NULL;
}

/* ---- Modules without calls -------------------------------------------------- */

static bool has_values(const wasm_perf_profile *profile) {
  for (uint32_t i = 1; i < profile->header.node_count; i++)
    if (profile->nodes[i].call_count > 0 || profile->nodes[i].self > 0)
      return true;
  return profile->row_count > 0;
}

/* Whether a thread has samples in the module of the profile at `path`. */
static bool has_samples(const wasm_perf_profile *thread, const char *path) {
  for (uint32_t i = 0; i < thread->module_count; i++) {
    const wasm_perf_module *module = &thread->modules[i];
    if (strcmp(module->name, wi_path_name(path)) != 0)
      continue;
    for (uint32_t node = 1; node < thread->header.node_count; node++)
      if (thread->nodes[node].function - module->function < module->count)
        return true;
  }
  return false;
}

static bool is_used(const join *work, uint32_t sum, wasm_perf_profile *const *threads,
                    size_t thread_count) {
  if (has_values(work->sums[sum]))
    return true;
  for (size_t i = 0; i < work->count; i++)
    for (size_t t = 0; work->sum_of[i] == sum && t < thread_count; t++)
      if (has_samples(threads[t], work->paths[i]))
        return true;
  return false;
}

static void leave_out(join *work, uint32_t sum) {
  wasm_perf_profile_free(work->sums[sum]);
  free(work->labels.items[sum]);
  work->labels.count--;
  for (size_t i = sum; i < work->labels.count; i++) {
    work->sums[i] = work->sums[i + 1];
    work->labels.items[i] = work->labels.items[i + 1];
  }
  work->sums[work->labels.count] = NULL;
  work->labels.items[work->labels.count] = NULL;
  for (size_t i = 0; i < work->count; i++)
    if (work->sum_of[i] == sum)
      work->sum_of[i] = NONE;
    else if (work->sum_of[i] > sum && work->sum_of[i] != NONE)
      work->sum_of[i]--;
}

/*
 * Leaves out modules that nobody called, as programs load to probe for features: with them, the
 * profile of the one other module would be a profile of several. One module remains.
 */
static void leave_out_unused(join *work, wasm_perf_profile *const *threads, size_t thread_count) {
  for (uint32_t i = 0; i < work->labels.count && work->labels.count > 1;)
    if (is_used(work, i, threads, thread_count))
      i++;
    else
      leave_out(work, i);
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
    cli_fail(work->failure,
             mismatch.index < work->labels.count ? work->labels.items[mismatch.index] : NULL, "%s",
             mismatch.message);
  return result;
}

/* ---- Samples of threads -------------------------------------------------- */

/* Finds the first function of each sum in the joined profile, where each has a frame of its own. */
static void find_first_functions(const join *work, const wasm_perf_profile *result,
                                 uint32_t *functions) {
  size_t count = 0;
  for (uint32_t i = 1; work->labels.count > 1 && i < result->header.node_count; i++)
    if (result->nodes[i].parent == 0 && count < work->labels.count)
      functions[count++] = result->nodes[i].function + 1;
}

/* The functions of a module that wait, from its sum; NULL if there are none. */
static const char *waiting_of(const join *work, const wasm_perf_profile *result, size_t index) {
  return work->labels.count == 1 ? result->facts.waiting : work->sums[index]->facts.waiting;
}

/*
 * Sets how long all threads had a processor, 0 if that is not known of one, lacked one, and were in
 * hooks of the linked form, and the most code that one may have compiled.
 */
static void set_processor_times(wasm_perf_facts *facts, wasm_perf_profile *const *threads,
                                size_t thread_count) {
  bool is_known = true;
  facts->cpu_time = facts->starved_time = facts->linked_time = facts->code_size = 0;
  for (size_t i = 0; i < thread_count; i++) {
    const wasm_perf_facts *of = &threads[i]->facts;
    is_known &= of->cpu_time > 0;
    facts->cpu_time = wi_saturating_add(facts->cpu_time, of->cpu_time);
    facts->starved_time = wi_saturating_add(facts->starved_time, of->starved_time);
    facts->code_size = facts->code_size > of->code_size ? facts->code_size : of->code_size;
    facts->linked_time = wi_saturating_add(facts->linked_time, of->linked_time);
  }
  facts->cpu_time = is_known ? facts->cpu_time : 0;
}

/* Sets times from the samples of all threads; false if memory ran out. */
static bool attribute_threads(const join *work, wasm_perf_profile *result,
                              wasm_perf_profile *const *threads, size_t thread_count) {
  wi_samples samples = {0};
  wi_samples_match match;
  uint64_t hooks_sampled = result->facts.hooks_sampled;
  wi_module_base *bases = calloc(work->count + 1, sizeof *bases);
  uint32_t *functions = calloc(work->labels.count + 1, sizeof *functions);
  bool done = bases && functions && wi_samples_init(&samples);
  if (done)
    find_first_functions(work, result, functions);
  for (size_t i = 0; done && i < work->labels.count; i++)
    done = !waiting_of(work, result, i) ||
           wi_samples_add_waiting(&samples, waiting_of(work, result, i), functions[i]);
  size_t base_count = 0;
  for (size_t i = 0; done && i < work->count; i++)
    if (work->sum_of[i] != NONE)
      bases[base_count++] =
          (wi_module_base){wi_path_name(work->paths[i]), functions[work->sum_of[i]]};
  for (size_t i = 0; done && i < thread_count; i++)
    done = wi_samples_add_thread(&samples, threads[i], bases, base_count);
  done = done && wi_scripts_place(&samples, wi_file_read_regular) &&
         wi_samples_attribute(&samples, result, true, &match);
  result->facts.hooks_sampled = hooks_sampled;
  set_processor_times(&result->facts, threads, thread_count);
  wi_samples_clear(&samples);
  free(functions);
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
static wasm_perf_profile *join_modules(join *work, bool apart, wasm_perf_profile *const *threads,
                                       size_t thread_count) {
  work->sum_of = malloc((work->count + 1) * sizeof *work->sum_of);
  work->sums = calloc(work->count + 1, sizeof *work->sums);
  bool done = work->sum_of && work->sums;
  if (!done)
    cli_fail_memory(work->failure);
  for (size_t i = 0; done && i < work->count; i++)
    work->sum_of[i] = NONE;
  for (size_t i = 0; done && i < work->count; i++)
    done = work->sum_of[i] != NONE || add_group(work, i, apart);
  if (done && !apart)
    leave_out_unused(work, threads, thread_count);
  return done ? join_sums(work) : NULL;
}

wasm_perf_profile *cli_parts_join(wasm_perf_profile **profiles, char *const *paths, size_t count,
                                  bool apart, cli_part_completer *complete, cli_failure *failure) {
  char **sorted = calloc(count + 1, sizeof *sorted);
  if (!sorted) {
    cli_fail_memory(failure);
    return NULL;
  }
  memcpy(sorted, paths, count * sizeof *sorted);
  join work = {.profiles = profiles, .paths = sorted, .complete = complete, .failure = failure};
  work.count = sort_parts(profiles, sorted, count);
  size_t thread_count = count - work.count;
  wasm_perf_profile *result =
      work.count > 0 ? join_modules(&work, apart, profiles + work.count, thread_count) : NULL;
  if (result && !apart && thread_count > 0 &&
      !attribute_threads(&work, result, profiles + work.count, thread_count)) {
    cli_fail_memory(failure);
    wasm_perf_profile_free(result);
    result = NULL;
  }
  for (size_t i = 0; work.sums && i < work.count; i++)
    wasm_perf_profile_free(work.sums[i]);
  cli_list_clear(&work.labels);
  free(work.sums);
  free(work.sum_of);
  free(sorted);
  return result;
}
