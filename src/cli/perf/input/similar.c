#include "cli/perf/input/similar.h"

#include <stdlib.h>
#include <string.h>

#include "cli/common/file.h"
#include "names/label.h"
#include "profile/names.h"
#include "symbols/confidences.h"

typedef struct naming {
  cli_similar *request;
  wi_namings namings;
  wi_signatures signatures; /* of files of them; used after all builds */
  wi_function_map *original;
  const void *map;
} naming;

/* Counts builds, and warns of a file that named nothing, unless it came from a folder. */
static void note_use(const naming *all, size_t file, wi_name_file_use use) {
  const cli_module_files *files = all->request->files;
  all->request->build_count += use == WI_NAME_FILE_USED;
  if (use != WI_NAME_FILE_USED && !all->request->silent && file < files->given_count)
    cli_error(files->paths[file], "%s", wi_name_file_problem(use));
}

bool cli_name_file_add(wi_namings *namings, wi_signatures *signatures, const char *path,
                       const char *module_path, wi_name_file_use *use) {
  uint8_t *bytes;
  size_t size;
  wi_error error;
  const wi_namings *culprit;
  if (!cli_file_read(path, &bytes, &size, NULL))
    return false;
  const wi_name_file file = {bytes, size, true};
  bool done = wi_name_file_add(namings, 1, signatures, &file, use, &error, &culprit);
  free(bytes);
  if (!done)
    cli_module_error(culprit ? module_path : path, &error);
  return done;
}

static bool add_file(naming *all, size_t file) {
  const char *path = all->request->files->paths[file];
  wi_name_file_use use;
  bool done = cli_name_file_add(&all->namings, &all->signatures, path, path, &use);
  if (done)
    note_use(all, file, use);
  return done;
}

static bool use_signatures(naming *all, wi_names *names) {
  wi_error error;
  wi_error_reset(&error);
  if (all->signatures.items_count == 0 ||
      wi_signatures_name(&all->signatures, &all->namings, names, &error))
    return true;
  return cli_error(NULL, "%s", error.message), false;
}

/* Exact names also replace names of exports. */
static bool is_wanted(const wi_naming *found, const char *before) {
  return found->kind == WI_NAMING_EXACT || !before || wi_label_is_number(before, NULL);
}

static bool set_name(wasm_perf_profile *profile, uint32_t function, const char *name,
                     const wi_naming *from) {
  if (from->kind == WI_NAMING_EXACT)
    return wasm_perf_profile_set_name(profile, function, name);
  char *marked = cli_text("%c%s", WI_MATCHED_MARK, name);
  bool done = wi_name_set(profile, function, marked, wi_naming_thousandths(from));
  free(marked);
  return done;
}

static bool name_function(const naming *all, uint32_t function) {
  wasm_perf_profile *profile = all->request->profile;
  uint32_t original =
      function < WASM_PERF_FUNCTION_UNHOOKED ? all->original(all->map, function) : WI_NO_FUNCTION;
  const char *name = original < wi_module_function_count(all->namings.module)
                         ? wi_namings_get(&all->namings, original)
                         : NULL;
  return !name ||
         !is_wanted(&all->namings.items[original], wasm_perf_profile_name(profile, function)) ||
         set_name(profile, function, name, &all->namings.items[original]);
}

static bool name_functions(const naming *all) {
  const wasm_perf_profile *profile = all->request->profile;
  bool done = true;
  for (uint32_t i = 1; done && i < profile->header.node_count; i++)
    done = name_function(all, profile->nodes[i].function);
  for (uint32_t i = 0; done && i < profile->block_function_count; i++)
    done = name_function(all, profile->blocks[i].function);
  if (!done)
    cli_error(NULL, "out of memory");
  return done;
}

bool cli_similar_name(void *context, const wi_module *module, wi_names *names,
                      wi_function_map *original, const void *map) {
  cli_similar *request = context;
  naming all = {request, {.module = module, .own = names}, {0}, original, map};
  bool done = true;
  for (size_t i = 0; done && i < request->files->count; i++)
    done = add_file(&all, i);
  request->failed = !done || !use_signatures(&all, names) || !name_functions(&all);
  wi_signatures_clear(&all.signatures);
  wi_namings_clear(&all.namings);
  return true;
}
