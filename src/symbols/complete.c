#include "symbols/complete.h"

#include <string.h>

#include "debug/places.h"
#include "module/names.h"
#include "support/error.h"
#include "symbols/confidences.h"
#include "symbols/core_module.h"

/* Whether the module ran without hooks. */
static bool is_original(const wi_ran_module *module) {
  return module->marker->version[0] == '\0';
}

/* Adds names for engines that do not report any. */
static bool add_names(wasm_perf_profile *profile, const wi_ran_module *module, wi_error *error) {
  wi_names *names = wi_names_read(module->bytes, module->size, error);
  if (!names)
    return false;
  bool done = true;
  if (!is_original(module) && !module->marker->is_embedded) { /* otherwise this is already set */
    profile->header.host_function_count = module->marker->first_import;
    profile->header.function_count = module->marker->function_count;
    profile->header.hooked_function_count = module->marker->instrumented_count;
  }
  for (uint32_t i = 0; i < profile->header.node_count && done; i++) {
    uint32_t function = profile->nodes[i].function;
    if (function < wi_names_count(names) && !wasm_perf_profile_name(profile, function))
      done = wasm_perf_profile_set_name(profile, function, wi_names_get(names, function));
  }
  wi_names_free(names);
  return done || wi_error_memory(error);
}

/* Adds source locations of functions from the DWARF of the module that ran. */
static bool add_places(wasm_perf_profile *profile, const wi_ran_module *module, wi_error *error) {
  wi_places *places = wi_places_read(module->bytes, module->size, error);
  bool done = places != NULL;
  for (uint32_t i = 0; i < profile->header.node_count && done; i++) {
    uint32_t function = profile->nodes[i].function, line = 0;
    const char *path = wi_places_find(places, function, &line);
    done = !path || wasm_perf_profile_set_place(profile, function, line, path, strlen(path));
  }
  wi_places_free(places);
  return done || wi_error_memory(error);
}

/* Hooks record their module's identity; sampled modules have no hooks. */
static bool add_identity(wasm_perf_profile *profile, const wi_ran_module *module, wi_error *error) {
  return !is_original(module) ||
         wi_core_module_note(profile, module->bytes, module->size, module->name) ||
         wi_error_memory(error);
}

bool wi_profile_complete(wasm_perf_profile *profile, const wi_ran_module *module, wi_error *error) {
  wi_error_reset(error);
  return add_identity(profile, module, error) &&
         (wasm_perf_profile_has_names(profile) || add_names(profile, module, error)) &&
         (wi_confidences_take(profile, module->bytes, module->size) || wi_error_memory(error)) &&
         add_places(profile, module, error);
}
