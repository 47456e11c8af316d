#include "cli/perf/input/part_files.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "cli/common/file.h"
#include "cli/common/session_names.h"
#include "cli/perf/input/profiles.h"
#include "cli/perf/input/thread_file.h"
#include "samples/caller_places.h"

enum { KEY_SIZE = 32 };

char *cli_part_beside(const char *path, const char *end) {
  const char *name = wi_path_name(path), *key = strchr(name, '-');
  key = key ? strchr(key + 1, '-') : NULL;
  if (!key || strspn(key + 1, "0123456789abcdef") != KEY_SIZE)
    return NULL;
  return cli_text("%.*s%.*s%s", (int)(name - path), path, KEY_SIZE, key + 1, end);
}

static bool is_thread(const char *path) {
  return cli_ends_with(path, CLI_SESSION_THREAD);
}

/* Takes over the profile. */
static bool add(cli_part_files *parts, wasm_perf_profile *profile, const char *path,
                cli_failure *failure) {
  size_t count = parts->paths.count;
  wasm_perf_profile **grown = realloc(parts->profiles, (count + 1) * sizeof *parts->profiles);
  if (!grown) {
    wasm_perf_profile_free(profile);
    return cli_fail_memory(failure);
  }
  parts->profiles = grown;
  parts->profiles[count] = profile;
  cli_list_add(&parts->paths, cli_text("%s", path));
  return true;
}

static bool name_functions(cli_part_files *parts, wasm_perf_profile *profile, const char *path,
                           cli_failure *failure) {
  char *module_path = cli_part_beside(path, CLI_SESSION_MODULE);
  const cli_ran_module *module =
      module_path ? cli_ran_modules_get(&parts->modules, module_path) : NULL;
  bool done = !module || cli_ran_module_name(module, profile, 0, UINT32_MAX);
  free(module_path);
  return done || cli_fail_memory(failure);
}

/* Reads what was in the file, or is in it now. */
static wasm_perf_profile *read_whole(cli_part_files *parts, const char *path, bool of_thread,
                                     cli_failure *failure) {
  return of_thread ? cli_thread_file_read(path, &parts->modules, failure)
                   : cli_profile_read(path, failure);
}

/* Subtracts what was in the file at `before`. */
static bool subtract(cli_part_files *parts, wasm_perf_profile *profile, const char *path,
                     const char *before, cli_failure *failure) {
  if (!before || access(before, F_OK) != 0)
    return true;
  wasm_perf_profile *earlier = read_whole(parts, before, is_thread(path), failure);
  bool done = earlier && (wasm_perf_profile_subtract(profile, earlier) || cli_fail_memory(failure));
  wasm_perf_profile_free(earlier);
  return done;
}

typedef struct reading {
  cli_part_files *parts;
  const char *path;
  cli_failure *failure;
} reading;

/* Completes the profile of a module. */
static bool complete(cli_part_files *parts, wasm_perf_profile *profile, const char *path,
                     cli_failure *failure) {
  return name_functions(parts, profile, path, failure) &&
         (wi_caller_places_map(profile, wi_file_read_regular) || cli_fail_memory(failure));
}

static bool add_instance(void *user, wasm_perf_profile *profile) {
  const reading *work = user;
  return add(work->parts, profile, work->path, work->failure) &&
         complete(work->parts, profile, work->path, work->failure);
}

bool cli_part_files_add(cli_part_files *parts, const char *path, const char *before, bool apart,
                        cli_failure *failure) {
  reading work = {parts, path, failure};
  if (apart && !is_thread(path))
    return cli_profile_read_each(path, add_instance, &work, failure);
  wasm_perf_profile *profile = read_whole(parts, path, is_thread(path), failure);
  return profile && add(parts, profile, path, failure) &&
         subtract(parts, profile, path, before, failure) &&
         (is_thread(path) || complete(parts, profile, path, failure));
}

void cli_part_files_clear(cli_part_files *parts) {
  for (size_t i = 0; i < parts->paths.count; i++)
    wasm_perf_profile_free(parts->profiles[i]);
  free(parts->profiles);
  cli_list_clear(&parts->paths);
  cli_ran_modules_clear(&parts->modules);
  *parts = (cli_part_files){0};
}
