#include "symbols/symbol_file.h"

#include <stdlib.h>
#include <string.h>

#include "component/container.h"
#include "module/go_names.h"
#include "module/read.h"
#include "names/label.h"
#include "support/error.h"
#include "symbols/core_module.h"
#include "symbols/source_map.h"

/* ---- Reading ------------------------------------------------------------------- */

void wi_symbol_file_clear(wi_symbol_file *file) {
  wi_symbol_map_clear(&file->map);
  wi_names_free(file->names);
  wi_places_free(file->places);
  wi_line_table_free(file->map_lines);
  wi_glue_clear(&file->glue);
  wi_module_clear(&file->module);
  wi_buffer_clear(&file->named);
  free(file->bytes);
}

/* Reads the module; of a component, the core module that the profile belongs to. */
static bool read_module(wi_symbol_file *file, size_t size, const char *path,
                        const wasm_perf_profile *profile, wi_file_reader *read, wi_error *error) {
  wi_marker marker;
  wi_span bytes = {0};
  if (wi_component_is(file->bytes, size)) {
    if (!wi_core_module_find(file->bytes, size, profile, &bytes, &file->has_run, error))
      return false;
    size = bytes.size;
  }
  if (!wi_module_read_debug_file(&file->module, file->bytes + bytes.offset, size, error) ||
      !wi_go_names_complete(&file->module, &file->named, error) ||
      !(file->names = wi_names_of_module(&file->module)) ||
      !(file->places = wi_places_of_module(&file->module, &file->module)))
    return false;
  file->map_lines = wi_source_map_read(&file->module, path, read);
  if (!wi_glue_read(&file->glue, &file->module, path, NULL, read))
    return wi_error_memory(error);
  wi_module_identity(&file->module, file->identity);
  wi_module_build_id(&file->module, file->build_id);
  file->is_instrumented = wi_marker_of_module(&file->module, &marker);
  return true;
}

bool wi_symbol_file_read(wi_symbol_file *file, uint8_t *bytes, size_t size, const char *path,
                         const wasm_perf_profile *profile, wi_file_reader *read, wi_error *error) {
  *file = (wi_symbol_file){.bytes = bytes};
  file->is_module = size >= 4 && memcmp(bytes, "\0asm", 4) == 0;
  if (file->is_module ? read_module(file, size, path, profile, read, error)
                      : wi_symbol_map_read(&file->map, (char *)bytes, size, error))
    return true;
  wi_symbol_file_clear(file);
  return false;
}

bool wi_symbol_file_has_code(const wi_symbol_file *file) {
  return file->is_module && !file->is_instrumented && file->module.bodies_count > 0;
}

/* ---- Functions ----------------------------------------------------------------- */

/* Number of imports that instrumenting added to the original module. */
static uint32_t added_import_count(const wasm_perf_profile *profile, const wi_symbol_file *file) {
  uint32_t all = profile->header.host_function_count, own = file->module.imports_count;
  if (profile->facts.added_import_count > 0 || !file->is_module)
    return (uint32_t)profile->facts.added_import_count;
  return all > own ? all - own : 0;
}

uint32_t wi_symbol_file_function(const wi_symbol_file *file, const wasm_perf_profile *profile,
                                 uint32_t function) {
  uint32_t number, added = added_import_count(profile, file);
  const char *name = wasm_perf_profile_name(profile, function);
  if (function >= WASM_PERF_FUNCTION_UNHOOKED)
    return WI_NO_FUNCTION;
  if (file->is_instrumented)
    return function;
  if (name && wi_label_is_number(name, &number))
    return number;
  if (profile->facts.first_guest > 0 && function >= profile->facts.first_guest)
    return WI_NO_FUNCTION;
  if (function >= profile->header.host_function_count)
    return function >= added ? function - added : WI_NO_FUNCTION;
  bool is_added = file->is_module && function >= file->module.imports_count;
  return is_added ? WI_NO_FUNCTION : function;
}

bool wi_symbol_file_is_named(const wi_symbol_file *file, uint32_t original) {
  wi_span own;
  return !file->is_module || wi_glue_find(&file->glue, original) ||
         wi_names_raw(file->names, original, &own);
}

const char *wi_symbol_file_name(const wi_symbol_file *file, uint32_t original) {
  if (!file->is_module)
    return wi_symbol_map_find(&file->map, original);
  wi_span own;
  const char *glue = wi_glue_find(&file->glue, original);
  if (glue && !wi_names_raw(file->names, original, &own))
    return glue;
  return original < wi_names_count(file->names) ? wi_names_get(file->names, original) : NULL;
}

const char *wi_symbol_file_place(const wi_symbol_file *file, uint32_t original, uint32_t *line) {
  const wi_module *module = &file->module;
  const char *path = file->places ? wi_places_find(file->places, original, line) : NULL;
  uint32_t body = original - module->imports_count;
  if (path || !file->map_lines || original < module->imports_count || body >= module->bodies_count)
    return path;
  const wi_line_row *row = wi_line_table_first(file->map_lines, module, module->bodies[body]);
  if (!row)
    return NULL;
  *line = row->line;
  return wi_line_table_path(file->map_lines, row);
}

uint32_t wi_symbol_functions_map(const void *functions, uint32_t function) {
  const wi_symbol_functions *map = functions;
  uint32_t added = added_import_count(map->profile, map->file);
  return function >= added ? function - added : WI_NO_FUNCTION;
}
