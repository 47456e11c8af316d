#include "symbols/symbolize.h"

#include <stdlib.h>
#include <string.h>

#include "names/label.h"
#include "profile/functions.h"
#include "support/path.h"
#include "symbols/confidences.h"
#include "symbols/module_lines.h"

/* Whether `name` is better than the profile's name for the function; `is_own`: not only of an export. */
static bool is_wanted(const wasm_perf_profile *profile, uint32_t function, const char *name,
                      bool is_own, wi_symbol_fit how) {
  const char *before = wasm_perf_profile_name(profile, function);
  if (!before)
    return true;
  return !wi_label_is_number(name, NULL) &&
         ((is_own && how == WI_SYMBOL_FIT_EXACT) || wi_label_is_number(before, NULL));
}

static bool name_function(wasm_perf_profile *profile, const wi_symbol_file *file, uint32_t function,
                          wi_symbol_fit how) {
  uint32_t original = wi_symbol_file_function(file, profile, function), line = 0;
  if (original == WI_NO_FUNCTION)
    return true;
  const char *name = wi_symbol_file_name(file, original);
  const char *path = wi_symbol_file_place(file, original, &line);
  return (!path || wasm_perf_profile_set_place(profile, function, line, path, strlen(path))) &&
         (!name ||
          !is_wanted(profile, function, name, wi_symbol_file_is_named(file, original), how) ||
          wasm_perf_profile_set_name(profile, function, name));
}

/*
 * Names each function once, because a new name would be mistaken for another function's. Functions
 * that were not called count if they have blocks.
 */
static bool name_functions(wasm_perf_profile *profile, const wi_symbol_file *file,
                           wi_symbol_fit how) {
  wi_functions functions;
  if (!wi_functions_init(&functions, profile))
    return false;
  bool done = true;
  for (uint32_t i = 0; done && i < functions.count; i++)
    done = name_function(profile, file, functions.items[i], how);
  for (uint32_t i = 0; done && i < profile->block_function_count; i++) {
    uint32_t function = profile->blocks[i].function;
    done = wi_functions_find(&functions, function) != WI_NO_NUMBER ||
           name_function(profile, file, function, how);
  }
  wi_functions_clear(&functions);
  return done;
}

/* Another build would have other blocks. */
static bool add_lines(wasm_perf_profile *profile, const wi_symbol_file *file, wi_symbol_fit how,
                      const char **no_lines) {
  wi_symbol_functions map = {profile, file};
  if (how != WI_SYMBOL_FIT_EXACT || !wi_symbol_file_has_code(file) ||
      profile->block_function_count == 0 || profile->lines.count > 0)
    return true;
  return wi_module_lines_add(profile, &file->module, file->map_lines, wi_symbol_functions_map, &map,
                             no_lines) ||
         *no_lines;
}

/* ---- The debug file of a module --------------------------------------------- */

/*
 * Whether the module lacks names or places that its debug file has. Emscripten's modules keep
 * names.
 */
static bool needs_debug_file(const wi_module *module) {
  return !wi_module_custom_section(module, "name") ||
         !wi_module_custom_section(module, ".debug_info");
}

/*
 * Returns the path of the debug file that a module refers to, in the module's directory, if it is
 * needed; else NULL. The caller frees it.
 */
static char *debug_path_of(const wi_symbol_file *file, const char *path) {
  const wi_section *section = file->is_module && needs_debug_file(&file->module)
                                  ? wi_module_custom_section(&file->module, "external_debug_info")
                                  : NULL;
  if (!section)
    return NULL;
  size_t size;
  const char *url = wi_section_url(file->module.bytes, section, &size);
  return url ? wi_path_beside(path, url, size) : NULL;
}

/* Newer debug files lack the code that their addresses refer to. */
static bool take_code(wi_symbol_file *debug, const wi_symbol_file *file) {
  if (!debug->is_module || debug->module.bodies_count > 0)
    return true;
  wi_places_free(debug->places);
  debug->places = wi_places_of_module(&debug->module, &file->module);
  return debug->places != NULL;
}

/*
 * Adds names from the debug file of a file that fits; it fits the profile as well as that file
 * does.
 */
static bool follow_debug_file(wasm_perf_profile *profile, const wi_symbol_file *file,
                              const char *path, wi_symbol_fit how, wi_file_reader *read) {
  char *debug_path = debug_path_of(file, path);
  wi_symbol_file debug;
  wi_error ignored;
  wi_error_reset(&ignored);
  const char *reason;
  uint8_t *bytes;
  size_t size;
  bool done = true;
  if (debug_path && read(debug_path, WI_FILE_SIZE_LIMIT, &bytes, &size) &&
      wi_symbol_file_read(&debug, bytes, size, debug_path, profile, read, &ignored)) {
    done = wi_symbol_fit_of(profile, &debug, &reason) == WI_SYMBOL_FIT_NONE ||
           (take_code(&debug, file) && name_functions(profile, &debug, how));
    wi_symbol_file_clear(&debug);
  }
  free(debug_path);
  return done;
}

bool wi_symbolize(wasm_perf_profile *profile, const wi_symbol_file *file, const char *path,
                  wi_symbol_fit how, wi_file_reader *read, const char **no_lines) {
  *no_lines = NULL;
  bool has_run = file->is_module && file->is_instrumented;
  return name_functions(profile, file, how) &&
         (!has_run || wi_confidences_apply(profile, &file->module)) &&
         add_lines(profile, file, how, no_lines) &&
         follow_debug_file(profile, file, path, how, read);
}
