#include "symbols/name_module.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "component/splice.h"
#include "module/names.h"
#include "symbols/confidences.h"
#include "symbols/hints.h"
#include "symbols/name_file.h"

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

/* The naming of all core modules of the input. */
typedef struct name_run {
  const wi_name_sources *sources;
  wi_name_file_use *uses; /* per source: the best for any of the modules */
  wi_error *error;
  const char *path; /* of the file that *error is about; NULL: the input */
} name_run;

static bool add_file(name_run *run, size_t source, wi_namings *namings, wi_signatures *signatures) {
  uint8_t *bytes;
  size_t size;
  wi_name_file_use use;
  wi_error in_error;
  run->path = run->sources->paths[source];
  if (!run->sources->read(run->path, WI_FILE_SIZE_LIMIT, &bytes, &size))
    return false;
  bool done = wi_name_file_add(namings, signatures, bytes, size, &use, &in_error, run->error);
  free(bytes);
  if (!done && run->error->code == WI_ERROR_NONE) {
    *run->error = in_error;
    run->path = NULL;
  }
  if (done && use > run->uses[source])
    run->uses[source] = use;
  return done;
}

/* Adds names that need no other build, unless hooks have changed the module's code. */
static bool add_known(const name_run *run, const wi_build *build, wi_namings *namings,
                      wi_signatures *signatures) {
  bool hints = run->sources->hints;
  wi_marker ignored;
  if (wi_marker_of_module(&build->module, &ignored))
    return true;
  if (hints && !wi_signatures_read_known(signatures, run->error))
    return false;
  if (signatures->items_count > 0 &&
      !wi_signatures_name(signatures, namings, build->names, run->error))
    return false;
  return !hints || wi_hints_add(namings, build->names) || wi_error_memory(run->error);
}

static bool add_names(name_run *run, const wi_build *build, wi_namings *namings) {
  wi_signatures signatures = {0};
  bool done = true;
  for (size_t i = 0; done && i < run->sources->count; i++)
    done = add_file(run, i, namings, &signatures);
  if (done) {
    run->path = NULL;
    done = add_known(run, build, namings, &signatures);
  }
  wi_signatures_clear(&signatures);
  return done;
}

static bool name_module(name_run *run, const uint8_t *bytes, size_t size, wi_buffer *named) {
  wi_build build;
  if (!wi_build_open(&build, bytes, size, run->error))
    return false;
  wi_namings namings = {.module = &build.module};
  bool done = add_names(run, &build, &namings);
  if (done && namings.named_count > 0) {
    wi_name_module_write(named, &build, &namings);
    done = !named->failed || wi_error_memory(run->error);
  }
  wi_namings_clear(&namings);
  wi_build_close(&build);
  return done;
}

/* ---- Components -------------------------------------------------------------------------- */

/* Names each core module. `named` has a buffer for each part. */
static bool name_parts(name_run *run, const wi_component *component, wi_buffer *named) {
  for (uint32_t i = 0; i < component->parts_count; i++) {
    const wi_component_part *part = &component->parts[i];
    if (!part->is_module ||
        name_module(run, component->bytes + part->bytes.offset, part->bytes.size, &named[i]))
      continue;
    if (!run->path && run->error->offset != WI_NO_OFFSET)
      run->error->offset += part->bytes.offset;
    return false;
  }
  return true;
}

/* Appends the component with its named modules to `out`, if there are any. */
static void put_named(const wi_component *component, const wi_buffer *named, wi_splice *modules,
                      wi_buffer *out) {
  uint32_t count = 0;
  for (uint32_t i = 0; i < component->parts_count; i++) {
    modules[i] = (wi_splice){named[i].data, named[i].size};
    count += named[i].size > 0;
  }
  if (count > 0)
    wi_component_splice(component, modules, out);
}

static bool name_component(name_run *run, const uint8_t *bytes, size_t size, wi_buffer *out) {
  wi_component component;
  if (!wi_component_read(&component, bytes, size, run->error))
    return false;
  wi_buffer *named = calloc(component.parts_count + (size_t)1, sizeof *named);
  wi_splice *modules = calloc(component.parts_count + (size_t)1, sizeof *modules);
  bool done = named && modules ? name_parts(run, &component, named) : wi_error_memory(run->error);
  if (done) {
    put_named(&component, named, modules, out);
    done = !out->failed || wi_error_memory(run->error);
  }
  for (uint32_t i = 0; named && i < component.parts_count; i++)
    wi_buffer_clear(&named[i]);
  free(named);
  free(modules);
  wi_component_clear(&component);
  return done;
}

static void tell(const name_run *run) {
  const wi_name_sources *sources = run->sources;
  for (size_t i = 0; i < sources->count; i++) {
    const char *problem = wi_name_file_problem(run->uses[i]);
    if (problem)
      sources->note(sources->user, sources->paths[i], problem);
  }
}

bool wi_name_module(const uint8_t *bytes, size_t size, const wi_name_sources *sources,
                    wi_buffer *named, wi_error *error, const char **path) {
  name_run run = {sources, calloc(sources->count + 1, sizeof *run.uses), error, NULL};
  *named = (wi_buffer){0};
  wi_error_reset(error);
  bool done = !run.uses                      ? wi_error_memory(error)
              : wi_component_is(bytes, size) ? name_component(&run, bytes, size, named)
                                             : name_module(&run, bytes, size, named);
  int reason = errno; /* of a file that could not be read */
  if (done)
    tell(&run);
  else
    wi_buffer_clear(named);
  free(run.uses);
  *path = run.path;
  errno = reason;
  return done;
}
