#include "symbols/name_module.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "module/names.h"
#include "symbols/confidences.h"
#include "symbols/hints.h"
#include "symbols/signatures.h"

enum { SUBSECTION_MODULE = 0, SUBSECTION_FUNCTIONS = 1 };

/* ---- The section ---------------------------------------------------------------------- */

/* Whether it is exported under a meaningful name, not one made by a minifier. */
static bool has_export_name(const wi_module *module, uint32_t function) {
  enum { MINIFIED_SIZE = 2 };
  for (uint32_t i = 0; i < module->exports_count; i++)
    if (module->exports[i].function == function && module->exports[i].name.size > MINIFIED_SIZE)
      return true;
  return false;
}

/* The name of the function in `namings`, or NULL if it has none or an export names it. */
static const char *matched_name(const wi_build *build, const wi_namings *namings,
                                uint32_t function) {
  const char *name = wi_namings_get(namings, function);
  return name && !has_export_name(&build->module, function) ? name : NULL;
}

/* The names that are being written. */
typedef struct name_writer {
  const wi_build *build;
  const wi_namings *namings;
  wi_buffer names;
  uint32_t count;
  wi_confidences confidences;
} name_writer;

/* Puts WI_MATCHED_MARK before a matched name, and "func[N]" before a hint. */
static void put_found(name_writer *writer, uint32_t function, const char *name) {
  wi_buffer *out = &writer->names;
  const wi_naming *naming = &writer->namings->items[function];
  char start[24] = {WI_MATCHED_MARK};
  if (naming->is_hint)
    snprintf(start, sizeof start, "func[%" PRIu32 "] ", function);
  size_t start_size = strlen(start), size = strlen(name);
  wi_buffer_u32(out, (uint32_t)(start_size + size));
  size_t at = out->size;
  wi_buffer_append(out, start, start_size);
  wi_buffer_append(out, name, size);
  if (!naming->is_hint && !out->failed)
    wi_confidences_add(&writer->confidences, (const char *)out->data + at, start_size + size,
                       wi_naming_thousandths(naming));
}

static void put_name(name_writer *writer, uint32_t function) {
  const wi_build *build = writer->build;
  wi_span own;
  const char *name = NULL;
  bool is_own = wi_names_raw(build->names, function, &own);
  if (!is_own && !(name = matched_name(build, writer->namings, function)))
    return;
  writer->count++;
  wi_buffer_u32(&writer->names, function);
  if (is_own) {
    wi_buffer_u32(&writer->names, own.size);
    wi_buffer_append(&writer->names, build->module.bytes + own.offset, own.size);
  } else {
    put_found(writer, function, name);
  }
}

/* Writes the subsection of function names. */
static void put_functions(wi_buffer *out, name_writer *writer) {
  wi_buffer number = {0};
  for (uint32_t i = 0; i < wi_module_function_count(&writer->build->module); i++)
    put_name(writer, i);
  wi_buffer_u32(&number, writer->count);
  wi_buffer_u8(out, SUBSECTION_FUNCTIONS);
  wi_buffer_u32(out, (uint32_t)(number.size + writer->names.size));
  wi_buffer_append(out, number.data, number.size);
  wi_buffer_append(out, writer->names.data, writer->names.size);
  out->failed |= writer->names.failed || number.failed;
  wi_buffer_clear(&number);
}

/* Copies the subsections that come before that of functions, or after it. */
static void put_others(wi_buffer *out, const wi_module *module, bool before) {
  const wi_section *section = wi_module_custom_section(module, "name");
  wi_error ignored;
  wi_error_reset(&ignored);
  if (!section)
    return;
  wi_cursor cursor = wi_cursor_at(module->bytes, wi_section_contents(section), &ignored);
  while (wi_cursor_left(&cursor) > 0 && !cursor.failed) {
    uint32_t start = cursor.offset;
    uint8_t id = wi_cursor_u8(&cursor);
    wi_cursor_sized(&cursor);
    if (!cursor.failed && id != SUBSECTION_FUNCTIONS && before == (id == SUBSECTION_MODULE))
      wi_buffer_append(out, module->bytes + start, cursor.offset - start);
  }
}

/* Copies the module without its name section. */
static void put_module(wi_buffer *out, const wi_module *module) {
  const wi_section *section = wi_module_custom_section(module, "name");
  uint32_t start = 0, end = WI_MODULE_HEADER_SIZE;
  for (uint32_t i = 0; i < module->sections_count; i++) {
    start = end;
    end = module->sections[i].payload.offset + module->sections[i].payload.size;
    if (i == 0)
      start = 0;
    if (&module->sections[i] != section)
      wi_buffer_append(out, module->bytes + start, end - start);
    else if (i == 0)
      wi_buffer_append(out, module->bytes, WI_MODULE_HEADER_SIZE);
  }
}

void wi_name_module_write(wi_buffer *out, const wi_build *build, const wi_namings *namings) {
  name_writer writer = {.build = build, .namings = namings};
  wi_buffer section = {0};
  put_module(out, &build->module);
  wi_buffer_name(&section, "name");
  put_others(&section, &build->module, true);
  put_functions(&section, &writer);
  put_others(&section, &build->module, false);
  wi_buffer_u8(out, WI_SECTION_CUSTOM);
  wi_buffer_u32(out, (uint32_t)section.size);
  wi_buffer_append(out, section.data, section.size);
  out->failed |= section.failed;
  wi_confidences_write(&writer.confidences, out);
  wi_confidences_clear(&writer.confidences);
  wi_buffer_clear(&writer.names);
  wi_buffer_clear(&section);
}

/* ---- Names from files ------------------------------------------------------------------- */

/* Warns about a build that gives no name; that is not an error. */
static void tell(const wi_name_sources *sources, const char *path, const wi_matches *matches) {
  if (matches->is_unrelated)
    sources->note(sources->user, path, "not a build of the module, so it names no function");
  else if (matches->matched_count == 0)
    sources->note(sources->user, path, "has no function in common with the module");
}

/* Adds names from a build. Sets *path to NULL if the error is in the module itself. */
static bool add_build(const wi_name_sources *sources, const uint8_t *bytes, size_t size,
                      wi_namings *namings, wi_error *error, const char **path) {
  wi_build from;
  wi_matches matches = {0};
  wi_error from_error;
  wi_error_reset(&from_error);
  if (!wi_build_open(&from, bytes, size, error))
    return false;
  bool done = wi_namings_add(namings, &from.module, from.names, &matches, error, &from_error);
  if (done)
    tell(sources, *path, &matches);
  else if (error->code == WI_ERROR_NONE)
    *error = from_error;
  else
    *path = NULL;
  wi_matches_clear(&matches);
  wi_build_close(&from);
  return done;
}

static bool add_file(const wi_name_sources *sources, const uint8_t *bytes, size_t size,
                     wi_namings *namings, wi_signatures *signatures, wi_error *error,
                     const char **path) {
  return wi_signatures_are(bytes, size) ? wi_signatures_read(signatures, bytes, size, error)
                                        : add_build(sources, bytes, size, namings, error, path);
}

static bool add_files(const wi_name_sources *sources, wi_namings *namings,
                      wi_signatures *signatures, wi_error *error, const char **path) {
  bool done = true;
  for (size_t i = 0; done && i < sources->count; i++) {
    uint8_t *bytes;
    size_t size;
    *path = sources->paths[i];
    if (!sources->read(*path, WI_FILE_SIZE_LIMIT, &bytes, &size))
      return false;
    done = add_file(sources, bytes, size, namings, signatures, error, path);
    free(bytes);
  }
  return done;
}

/* Adds names that need no other build, unless hooks have changed the module's code. */
static bool add_known(const wi_name_sources *sources, const wi_build *build, wi_namings *namings,
                      wi_signatures *signatures, wi_error *error) {
  wi_marker ignored;
  if (wi_marker_of_module(&build->module, &ignored))
    return true;
  if (sources->hints && !wi_signatures_read_known(signatures, error))
    return false;
  if (signatures->items_count > 0 && !wi_signatures_name(signatures, namings, build->names, error))
    return false;
  return !sources->hints || wi_hints_add(namings, build->names) || wi_error_memory(error);
}

static bool add_names(const wi_name_sources *sources, const wi_build *build, wi_namings *namings,
                      wi_error *error, const char **path) {
  wi_signatures signatures = {0};
  bool done = add_files(sources, namings, &signatures, error, path);
  if (done) {
    *path = NULL;
    done = add_known(sources, build, namings, &signatures, error);
  }
  wi_signatures_clear(&signatures);
  return done;
}

bool wi_name_module(const uint8_t *bytes, size_t size, const wi_name_sources *sources,
                    wi_buffer *named, wi_error *error, const char **path) {
  wi_build build;
  *named = (wi_buffer){0};
  *path = NULL;
  wi_error_reset(error);
  if (!wi_build_open(&build, bytes, size, error))
    return false;
  wi_namings namings = {.module = &build.module};
  bool done = add_names(sources, &build, &namings, error, path);
  if (done && namings.named_count > 0) {
    wi_name_module_write(named, &build, &namings);
    done = !named->failed || wi_error_memory(error);
  }
  if (!done)
    wi_buffer_clear(named);
  wi_namings_clear(&namings);
  wi_build_close(&build);
  return done;
}
