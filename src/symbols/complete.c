#include "symbols/complete.h"

#include <string.h>

#include "debug/places.h"
#include "module/go_names.h"
#include "module/identity.h"
#include "module/names.h"
#include "module/read.h"
#include "support/error.h"
#include "symbols/confidences.h"

/* A module as it ran, and what was read of it. */
typedef struct ran_module {
  const wi_ran_module *as;
  wi_module module;
  bool is_instrumented; /* and its marker is readable */
  wi_marker marker;
  wi_buffer named; /* backs the module if its names were completed */
} ran_module;

static bool set_names(wasm_perf_profile *profile, wi_names *names) {
  for (uint32_t i = 0; i < profile->header.node_count; i++) {
    uint32_t function = profile->nodes[i].function;
    if (function < wi_names_count(names) && !wasm_perf_profile_name(profile, function) &&
        !wasm_perf_profile_set_name(profile, function, wi_names_get(names, function)))
      return false;
  }
  return true;
}

/* Adds names for engines that do not report any. */
static bool add_names(wasm_perf_profile *profile, ran_module *ran, wi_error *error) {
  if (ran->is_instrumented && !ran->marker.is_embedded) { /* otherwise this is already set */
    profile->header.host_function_count = ran->marker.first_import;
    profile->header.function_count = ran->marker.function_count;
    profile->header.hooked_function_count = ran->marker.instrumented_count;
  }
  if (!wi_go_names_complete(&ran->module, &ran->named, error))
    return false;
  wi_names *names = wi_names_of_module(&ran->module);
  bool done = names && set_names(profile, names);
  wi_names_free(names);
  return done || wi_error_memory(error);
}

/* Adds source locations of functions from the DWARF of the module that ran. */
static bool add_places(wasm_perf_profile *profile, const wi_module *module) {
  wi_places *places = wi_places_of_module(module, module);
  bool done = places != NULL;
  for (uint32_t i = 0; i < profile->header.node_count && done; i++) {
    uint32_t function = profile->nodes[i].function, line = 0;
    const char *path = wi_places_find(places, function, &line);
    done = !path || wasm_perf_profile_set_place(profile, function, line, path, strlen(path));
  }
  wi_places_free(places);
  return done;
}

static bool set_text(wasm_perf_profile *profile, wasm_perf_fact key, const char *text) {
  return wasm_perf_profile_set_text(profile, key, text, strlen(text));
}

/* Hooks record their module's identity; sampled modules have no hooks. */
static bool add_identity(wasm_perf_profile *profile, const ran_module *ran) {
  char identity[WI_IDENTITY_SIZE], build_id[WI_BUILD_ID_SIZE];
  if (ran->is_instrumented)
    return true;
  wi_module_identity(&ran->module, identity);
  profile->header.host_function_count = ran->module.imports_count;
  return set_text(profile, WASM_PERF_FACT_module, ran->as->name) &&
         set_text(profile, WASM_PERF_FACT_identity, identity) &&
         (!wi_module_build_id(&ran->module, build_id) ||
          set_text(profile, WASM_PERF_FACT_build_id, build_id));
}

static bool complete(wasm_perf_profile *profile, ran_module *ran, wi_error *error) {
  return (add_identity(profile, ran) || wi_error_memory(error)) &&
         (wasm_perf_profile_has_names(profile) || add_names(profile, ran, error)) &&
         ((wi_confidences_apply(profile, &ran->module) && add_places(profile, &ran->module)) ||
          wi_error_memory(error));
}

bool wi_profile_complete(wasm_perf_profile *profile, const wi_ran_module *module, wi_error *error) {
  ran_module ran = {.as = module};
  wi_error_reset(error);
  if (!wi_module_read(&ran.module, module->bytes, module->size, error))
    return false;
  ran.is_instrumented =
      wi_marker_of_module(&ran.module, &ran.marker) && ran.marker.version[0] != '\0';
  bool done = complete(profile, &ran, error);
  wi_module_clear(&ran.module);
  wi_buffer_clear(&ran.named);
  return done;
}
