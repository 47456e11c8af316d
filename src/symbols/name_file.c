#include "symbols/name_file.h"

#include <string.h>

#include "component/container.h"
#include "module/symbol_map.h"
#include "symbols/build.h"
#include "symbols/glue.h"

typedef struct adding {
  const wi_name_file *file;
  wi_namings *namings;
  uint32_t count;
  wi_name_file_use *use; /* the best so far */
  wi_error *error;
  const wi_namings **culprit;
} adding;

static void note_use(const adding *all, wi_name_file_use use) {
  if (use > *all->use)
    *all->use = use;
}

static wi_name_file_use use_of(const wi_matches *matches) {
  if (matches->is_unrelated)
    return WI_NAME_FILE_UNRELATED;
  return matches->matched_count > 0 ? WI_NAME_FILE_USED : WI_NAME_FILE_DISTINCT;
}

/* Adds the build's names to one of the modules. */
static bool add_build(const adding *all, const wi_build *build, wi_namings *namings) {
  wi_matches matches = {0};
  wi_error in_error;
  wi_error_reset(&in_error);
  bool done =
      wi_namings_add(namings, &build->module, build->names, &matches, &in_error, all->error);
  if (done)
    note_use(all, use_of(&matches));
  if (!done && all->error->code == WI_ERROR_NONE) {
    *all->error = in_error;
    *all->culprit = namings;
  }
  wi_matches_clear(&matches);
  return done;
}

static bool add_module(const adding *all, const uint8_t *bytes, size_t size) {
  wi_build build;
  bool done = true;
  if (!wi_build_open(&build, bytes, size, all->error))
    return false;
  for (uint32_t i = 0; done && i < all->count; i++)
    done = add_build(all, &build, &all->namings[i]);
  wi_build_close(&build);
  return done;
}

static bool add_component(const adding *all, const uint8_t *bytes, size_t size) {
  wi_component component;
  bool done = wi_component_read(&component, bytes, size, all->error);
  for (uint32_t i = 0; done && i < component.parts_count; i++) {
    const wi_component_part *part = &component.parts[i];
    done = !part->is_module || add_module(all, bytes + part->bytes.offset, part->bytes.size);
  }
  wi_component_clear(&component);
  return done;
}

/* ---- Names of this build, from files beside it --------------------------------------------- */

/* Compilers list all functions, which shows whose map it is. */
static bool may_be_map_of(const wi_symbol_map *map, const wi_module *module, bool is_meant) {
  uint32_t functions = wi_module_function_count(module);
  return map->count > 0 && (is_meant ? map->symbols[0].function < functions
                                     : map->symbols[map->count - 1].function + 1 == functions);
}

static bool add_map(const adding *all, const wi_symbol_map *map, wi_namings *namings) {
  uint32_t functions = wi_module_function_count(namings->module);
  if (!may_be_map_of(map, namings->module, all->file->is_meant))
    return true;
  if (!wi_namings_begin(namings))
    return wi_error_memory(all->error);
  for (uint32_t i = 0; i < map->count && map->symbols[i].function < functions; i++)
    if (map->symbols[i].function >= namings->module->imports_count)
      wi_namings_set_exact(namings, map->symbols[i].function, map->symbols[i].name);
  note_use(all, WI_NAME_FILE_USED);
  return !namings->text.failed || wi_error_memory(all->error);
}

bool wi_name_glue_add(wi_namings *namings, const wi_glue *glue) {
  if (glue->names_count > 0 && !wi_namings_begin(namings))
    return false;
  for (uint32_t i = 0; i < glue->names_count; i++)
    wi_namings_set_exact(namings, glue->names[i].function,
                         (const char *)glue->text.data + glue->names[i].name);
  return !namings->text.failed;
}

static bool add_script(const adding *all, const char *text, size_t size, wi_namings *namings) {
  wi_glue glue;
  bool done =
      wi_glue_read_script(&glue, namings->module, text, size) && wi_name_glue_add(namings, &glue);
  if (glue.names_count > 0)
    note_use(all, WI_NAME_FILE_USED);
  wi_glue_clear(&glue);
  return done || wi_error_memory(all->error);
}

static bool add_text(const adding *all, const char *text, size_t size) {
  wi_symbol_map map = {0};
  bool is_script = wi_glue_is_script(text, size), done = true;
  if (!is_script && !wi_symbol_map_read(&map, text, size, all->error))
    return false;
  for (uint32_t i = 0; done && i < all->count; i++)
    done = is_script ? add_script(all, text, size, &all->namings[i])
                     : add_map(all, &map, &all->namings[i]);
  wi_symbol_map_clear(&map);
  return done;
}

bool wi_name_file_add(wi_namings *namings, uint32_t count, wi_signatures *signatures,
                      const wi_name_file *file, wi_name_file_use *use, wi_error *error,
                      const wi_namings **culprit) {
  const uint8_t *bytes = file->bytes;
  const size_t size = file->size;
  const adding all = {file, namings, count, use, error, culprit};
  bool are_signatures = wi_signatures_are(bytes, size);
  wi_error_reset(error);
  *culprit = NULL;
  *use = are_signatures ? WI_NAME_FILE_USED : WI_NAME_FILE_UNRELATED;
  if (are_signatures)
    return wi_signatures_read(signatures, bytes, size, error);
  if (size < 4 || memcmp(bytes, "\0asm", 4) != 0)
    return add_text(&all, (const char *)bytes, size);
  return wi_component_is(bytes, size) ? add_component(&all, bytes, size)
                                      : add_module(&all, bytes, size);
}

const char *wi_name_file_problem(wi_name_file_use use) {
  switch (use) {
  case WI_NAME_FILE_UNRELATED: return "not a build of the module, so it names no function";
  case WI_NAME_FILE_DISTINCT: return "has no function in common with the module";
  default: return NULL;
  }
}
