#define _POSIX_C_SOURCE 200809L /* getline */

#include "cli/perf/record/session_measures.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli/common/session_names.h"
#include "cli/perf/common.h"
#include "cli/perf/record/session_files.h"
#include "names/label.h"
#include "profile/unused.h"

enum { NAME_SIZE = 128 }; /* longer names end in a hash */

/* A measure of one thread. */
typedef struct measure {
  char *hash; /* of its name, in the names of its files */
  char *name;
  char *problem; /* NULL if it was counted */
} measure;

static void measure_clear(measure *of) {
  free(of->hash);
  free(of->name);
  free(of->problem);
}

/* PROCESS-THREAD-HASH.measure */
static char *hash_of(const char *path) {
  const char *dash = strrchr(path, '-');
  return cli_text("%.*s", (int)strcspn(dash + 1, "."), dash + 1);
}

/* The next line, safe to show. NULL if it is empty or missing. */
static char *read_line(FILE *stream) {
  char *line = NULL;
  size_t capacity = 0;
  char label[NAME_SIZE + 1];
  char *result = NULL;
  if (getline(&line, &capacity, stream) > 1) {
    line[strcspn(line, "\n")] = '\0';
    wi_label_clean_within(label, line, 0, NAME_SIZE);
    result = cli_text("%s", label);
  }
  free(line);
  return result;
}

static bool read_measure(const char *path, measure *of, cli_failure *failure) {
  FILE *stream = fopen(path, "r");
  *of = (measure){0};
  if (!stream)
    return cli_fail(failure, path, "cannot be read");
  of->hash = hash_of(path);
  of->name = read_line(stream);
  of->problem = read_line(stream);
  fclose(stream);
  if (!of->name)
    of->name = cli_text("(unnamed)");
  return true;
}

/* By hash; of one measure, those with a problem come first. */
static int compare(const void *left, const void *right) {
  const measure *a = left, *b = right;
  int order = strcmp(a->hash, b->hash);
  return order != 0 ? order : (a->problem == NULL) - (b->problem == NULL);
}

/* What instances counted up to the ends of the measure, without what they had counted when it began. */
static wasm_perf_profile *join(const cli_list *ends, cli_failure *failure) {
  cli_list begins = {0};
  for (size_t i = 0; i < ends->count; i++)
    cli_list_add(&begins, cli_text("%.*s" CLI_SESSION_BEGUN,
                                   (int)(strlen(ends->items[i]) - strlen(CLI_SESSION_ENDED)),
                                   ends->items[i]));
  wasm_perf_profile *profile = cli_session_join(ends, &begins, false, failure);
  cli_list_clear(&begins);
  if (!profile || wi_unused_drop(profile))
    return profile;
  wasm_perf_profile_free(profile);
  cli_fail_memory(failure);
  return NULL;
}

/* Passes on a measure, unless nothing was counted in it. */
static bool take_measure(const char *folder, const measure *of, cli_measure_taker *take, void *user,
                         cli_failure *failure) {
  if (of->problem)
    return take(user, of->name, of->problem, NULL);
  cli_list paths = {0};
  char *end = cli_text("-%s" CLI_SESSION_ENDED, of->hash);
  cli_session_find_files(folder, end, &paths);
  wasm_perf_profile *profile = join(&paths, failure);
  bool done = profile && (profile->header.node_count == 1 || take(user, of->name, NULL, profile));
  wasm_perf_profile_free(profile);
  cli_list_clear(&paths);
  free(end);
  return done;
}

bool cli_session_measures(const char *folder, cli_measure_taker *take, void *user,
                          cli_failure *failure) {
  cli_list paths = {0};
  cli_session_find_files(folder, CLI_SESSION_MEASURE, &paths);
  measure *all = calloc(paths.count + 1, sizeof *all);
  size_t count = 0;
  while (all && count < paths.count && read_measure(paths.items[count], &all[count], failure))
    count++;
  bool done = all && count == paths.count;
  if (done)
    qsort(all, count, sizeof *all, compare);
  for (size_t i = 0; i < count && done; i++)
    if (i == 0 || strcmp(all[i].hash, all[i - 1].hash) != 0)
      done = take_measure(folder, &all[i], take, user, failure);
  for (size_t i = 0; i < count; i++)
    measure_clear(&all[i]);
  free(all);
  cli_list_clear(&paths);
  return done;
}
