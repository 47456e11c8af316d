#include "cli/perf/input/similar.h"

#include <stdlib.h>
#include <string.h>

#include "cli/common/file.h"
#include "profile/names.h"
#include "support/label.h"
#include "symbols/build.h"
#include "symbols/confidences.h"
#include "symbols/name_module.h"
#include "symbols/signatures.h"

typedef struct naming {
  cli_similar *request;
  wi_namings namings;
  wi_signatures signatures; /* of files of them; used after all builds */
  wi_function_map *original;
  const void *map;
} naming;

/* Warns of a file that named nothing, unless it came from a folder. */
static void tell(const naming *all, size_t file, const wi_matches *matches) {
  bool is_build = matches->matched_count > 0;
  all->request->build_count += is_build;
  if (!is_build && !all->request->silent && file < all->request->files->given_count)
    cli_error(all->request->files->paths[file],
              "not a build of the profile's module, so it names no function");
}

static bool add_build(naming *all, size_t file, const uint8_t *bytes, size_t size) {
  wi_build build;
  wi_matches matches = {0};
  wi_error in_error, error;
  wi_error_reset(&in_error);
  wi_error_reset(&error);
  if (!wi_build_open(&build, bytes, size, &error))
    return cli_module_error(all->request->files->paths[file], &error), false;
  bool done =
      wi_namings_add(&all->namings, &build.module, build.names, &matches, &in_error, &error);
  if (done)
    tell(all, file, &matches);
  else
    cli_module_error(all->request->files->paths[file], error.message[0] ? &error : &in_error);
  wi_matches_clear(&matches);
  wi_build_close(&build);
  return done;
}

/* Symbol maps and components are read elsewhere. */
static bool is_module(const uint8_t *bytes, size_t size) {
  static const uint8_t start[] = {0, 'a', 's', 'm', 1, 0, 0, 0};
  return size >= sizeof start && memcmp(bytes, start, sizeof start) == 0;
}

static bool add_signatures(naming *all, size_t file, const uint8_t *bytes, size_t size) {
  wi_error error;
  wi_error_reset(&error);
  all->request->build_count++;
  if (wi_signatures_read(&all->signatures, bytes, size, &error))
    return true;
  return cli_module_error(all->request->files->paths[file], &error), false;
}

static bool add_file(naming *all, size_t file) {
  uint8_t *bytes;
  size_t size;
  bool done = true;
  if (!cli_file_read(all->request->files->paths[file], &bytes, &size))
    return false;
  if (wi_signatures_are(bytes, size))
    done = add_signatures(all, file, bytes, size);
  else if (is_module(bytes, size))
    done = add_build(all, file, bytes, size);
  free(bytes);
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

static bool name_function(const naming *all, uint32_t function) {
  const char *before = wasm_perf_profile_name(all->request->profile, function), *name;
  uint32_t original =
      function < WASM_PERF_FUNCTION_UNHOOKED ? all->original(all->map, function) : WI_NO_FUNCTION;
  if (original >= wi_module_function_count(all->namings.module) ||
      (before && !wi_label_is_number(before, NULL)) ||
      !(name = wi_namings_get(&all->namings, original)))
    return true;
  char *marked = cli_text("%c%s", WI_MATCHED_MARK, name);
  bool done = wi_name_set(all->request->profile, function, marked,
                          wi_naming_thousandths(&all->namings.items[original]));
  free(marked);
  return done;
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
  naming all = {request, {.module = module}, {0}, original, map};
  bool done = true;
  for (size_t i = 0; done && i < request->files->count; i++)
    done = add_file(&all, i);
  request->failed = !done || !use_signatures(&all, names) || !name_functions(&all);
  wi_signatures_clear(&all.signatures);
  wi_namings_clear(&all.namings);
  return true;
}

bool cli_similar_is_complete(const wasm_perf_profile *profile) {
  for (uint32_t i = 1; i < profile->header.node_count; i++) {
    uint32_t function = profile->nodes[i].function;
    const char *name = wasm_perf_profile_name(profile, function);
    if (function < WASM_PERF_FUNCTION_UNHOOKED && (!name || wi_label_is_number(name, NULL)))
      return false;
  }
  return true;
}
