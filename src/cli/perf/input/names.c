#include "cli/perf/input/names.h"

#include "cli/common/file.h"
#include "cli/common/message.h"
#include "debug/places.h"
#include "module/names.h"
#include "symbols/core_module.h"

/* Whether it ran as it was, without hooks. */
static bool is_original(const cli_module *module) {
  return module->marker->version[0] == '\0';
}

/* An engine that knows nothing of names leaves that to us. */
static bool add_names(const cli_module *module, wasm_perf_profile *profile) {
  wi_error error = {0};
  wi_names *names = wi_names_read(module->bytes, module->size, &error);
  if (!names) {
    cli_module_error(module->path, &error);
    return false;
  }
  bool done = true;
  if (!is_original(module) && !module->marker->is_embedded) { /* else it is known already */
    profile->header.host_function_count = module->marker->first_import;
    profile->header.function_count = module->marker->function_count;
    profile->header.hooked_function_count = module->marker->instrumented_count;
  }
  for (uint32_t i = 0; i < profile->header.node_count && done; ++i) {
    uint32_t function = profile->nodes[i].function;
    if (function < wi_names_count(names) && !wasm_perf_profile_name(profile, function))
      done = wasm_perf_profile_set_name(profile, function, wi_names_get(names, function));
  }
  wi_names_free(names);
  if (!done)
    cli_error(NULL, "memory ran out");
  return done;
}

/* Says where functions stand in the source, as the DWARF of the module that ran has it. */
static bool add_places(const cli_module *module, wasm_perf_profile *profile) {
  wi_error error;
  wi_places *places = wi_places_read(module->bytes, module->size, &error);
  bool done = places != NULL;
  for (uint32_t i = 0; i < profile->header.node_count && done; ++i) {
    uint32_t function = profile->nodes[i].function, line = 0;
    const char *path = wi_places_find(places, function, &line);
    done = !path || wasm_perf_profile_set_place(profile, function, line, path, strlen(path));
  }
  wi_places_free(places);
  if (!done)
    cli_error(NULL, "memory ran out");
  return done;
}

/* Hooks say which module they are in; samples are of the module as it is. */
static bool add_identity(const cli_module *module, wasm_perf_profile *profile) {
  if (!is_original(module) || profile->facts.identity)
    return true;
  const char *name = wi_path_name(module->path);
  if (wi_core_module_note(profile, module->bytes, module->size, name))
    return true;
  cli_error(NULL, "memory ran out");
  return false;
}

bool cli_names_add(const cli_module *module, wasm_perf_profile *profile) {
  return add_identity(module, profile) &&
         (wasm_perf_profile_has_names(profile) || add_names(module, profile)) &&
         add_places(module, profile);
}
