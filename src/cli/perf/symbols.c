#include "cli/perf/module_names.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli/common/file.h"
#include "cli/common/message.h"
#include "debug/places.h"
#include "module/identity.h"
#include "module/names.h"
#include "module/read.h"

typedef struct module_file {
  uint8_t *bytes;
  wi_module module;
  wi_names *names;
  wi_places *places; /* of functions in the source */
  bool is_instrumented;
  char identity[WI_IDENTITY_SIZE];
} module_file;

static void clear(module_file *file) {
  wi_names_free(file->names);
  wi_places_free(file->places);
  wi_module_clear(&file->module);
  free(file->bytes);
}

/* Where it fails, the file is clear. With an error to fill in, files that are none are told. */
static bool open_module(module_file *file, const char *path, wi_error *error) {
  size_t size;
  *file = (module_file){0};
  wi_error_reset(error);
  if (!wi_file_read(path, &file->bytes, &size))
    return false;
  wi_marker marker;
  if (wi_module_read(&file->module, file->bytes, size, error) &&
      (file->names = wi_names_of_module(&file->module)) &&
      (file->places = wi_places_of_module(&file->module))) {
    wi_module_identity(&file->module, file->identity);
    file->is_instrumented = wi_marker_of_module(&file->module, &marker);
    return true;
  }
  clear(file);
  return false;
}

/*
 * The function of the module that is `function` of the profile; false where it is one that was
 * added. Added imports stand after the module's own.
 */
static bool original_function(const wasm_perf_profile *profile, const module_file *file,
                              uint32_t *function) {
  uint32_t own = file->module.imports_count;
  uint32_t all = profile->header.host_function_count;
  if (file->is_instrumented || all <= own || *function < own)
    return true;
  if (*function < all)
    return false;
  *function -= all - own;
  return true;
}

static bool name_function(wasm_perf_profile *profile, const module_file *file, uint32_t function) {
  uint32_t original = function;
  if (function >= WASM_PERF_FUNCTION_TRUNCATED || wasm_perf_profile_name(profile, function) ||
      !original_function(profile, file, &original) || original >= wi_names_count(file->names))
    return true;
  return wasm_perf_profile_set_name(profile, function, wi_names_get(file->names, original));
}

static bool place_function(wasm_perf_profile *profile, const module_file *file, uint32_t function) {
  uint32_t original = function, line = 0;
  if (function >= WASM_PERF_FUNCTION_TRUNCATED || !original_function(profile, file, &original))
    return true;
  const char *path = wi_places_find(file->places, original, &line);
  return !path || wasm_perf_profile_set_place(profile, function, line, path, strlen(path));
}

static bool name_functions(wasm_perf_profile *profile, const module_file *file) {
  for (uint32_t i = 0; i < profile->header.node_count; i++)
    if (!name_function(profile, file, profile->nodes[i].function) ||
        !place_function(profile, file, profile->nodes[i].function))
      return false;
  return true;
}

/* Why the module cannot be the profile's, or NULL. */
static const char *misfit(const wasm_perf_profile *profile, const module_file *file) {
  const char *identity = profile->facts.identity;
  if (identity)
    return strcmp(identity, file->identity) == 0 ? NULL
           : file->is_instrumented
               ? "it is instrumented; names come from the module that it was made from"
               : "it is another module than the profile's, or another build of it";
  if (!file->is_instrumented)
    return "the profile does not tell its module: only the instrumented module that ran fits it";
  for (uint32_t i = 0; i < profile->header.node_count; i++) {
    uint32_t function = profile->nodes[i].function;
    if (function < WASM_PERF_FUNCTION_TRUNCATED && function >= wi_names_count(file->names))
      return "it has fewer functions than the profile";
  }
  return NULL;
}

bool cli_profile_name(wasm_perf_profile *profile, const char *profile_path,
                      const char *module_path) {
  module_file file;
  wi_error error;
  errno = 0;
  if (!open_module(&file, module_path, &error)) {
    if (error.message[0] != 0)
      cli_module_error(module_path, &error);
    else
      cli_error(module_path, "%s", errno ? strerror(errno) : "memory ran out");
    return false;
  }
  const char *reason = misfit(profile, &file);
  if (reason)
    cli_error(module_path, "not the module of %s: %s", profile_path, reason);
  else if (!name_functions(profile, &file))
    cli_error(NULL, "memory ran out");
  bool done = !reason;
  clear(&file);
  return done;
}

/* ---- Finding it ---------------------------------------------------------- */

bool cli_profile_try_names(wasm_perf_profile *profile, const char *path) {
  module_file file;
  wi_error error;
  if (!open_module(&file, path, &error))
    return false;
  bool fits = !misfit(profile, &file) && name_functions(profile, &file);
  clear(&file);
  return fits;
}

/* Beside the profile, and nowhere else: names in a profile lead to no other folder. */
static bool try_beside(wasm_perf_profile *profile, const char *profile_path, const char *name) {
  int folder_size = (int)(cli_basename(profile_path) - profile_path);
  char *path = cli_text("%.*s%s", folder_size, profile_path, cli_basename(name));
  bool found = cli_profile_try_names(profile, path);
  free(path);
  return found;
}

void cli_profile_find_names(wasm_perf_profile *profile, const char *profile_path) {
  if (!profile->facts.identity || profile->header.name_count > 0 || profile->header.node_count < 2)
    return;
  const char *base = cli_basename(profile_path);
  char *like_profile = cli_text("%.*s.wasm", (int)strcspn(base, "."), base);
  bool found = (profile->facts.module && *cli_basename(profile->facts.module) &&
                try_beside(profile, profile_path, profile->facts.module)) ||
               try_beside(profile, profile_path, like_profile);
  free(like_profile);
  if (!found)
    cli_message("wasm-perf: %s has no names: give its module, %s, by --module FILE", profile_path,
                profile->facts.module ? cli_basename(profile->facts.module) : "app.wasm");
}
