#include "symbols/name_module.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "component/splice.h"
#include "module/names.h"
#include "names/label.h"
#include "support/path.h"
#include "symbols/build.h"
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

/* The name of the function in `namings`, or NULL if it has none or an export names it as well. */
static const char *found_name(const wi_build *build, const wi_namings *namings, uint32_t function) {
  const char *name = wi_namings_get(namings, function);
  bool is_better = name && (namings->items[function].kind == WI_NAMING_EXACT ||
                            !has_export_name(&build->module, function));
  return is_better ? name : NULL;
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
  char start[24] = "";
  if (naming->kind == WI_NAMING_MATCHED)
    start[0] = WI_MATCHED_MARK;
  if (naming->kind == WI_NAMING_HINT)
    snprintf(start, sizeof start, "func[%" PRIu32 "] ", function);
  size_t start_size = strlen(start), size = strlen(name);
  wi_buffer_u32(out, (uint32_t)(start_size + size));
  size_t at = out->size;
  wi_buffer_append(out, start, start_size);
  wi_buffer_append(out, name, size);
  if (naming->kind == WI_NAMING_MATCHED && !out->failed)
    wi_confidences_add(&writer->confidences, (const char *)out->data + at, start_size + size,
                       wi_naming_thousandths(naming));
}

static void put_name(name_writer *writer, uint32_t function) {
  const wi_build *build = writer->build;
  wi_span own;
  const char *name = NULL;
  bool is_own = wi_names_raw(build->names, function, &own);
  if (!is_own && !(name = found_name(build, writer->namings, function)))
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

/*
 * Appends the build's module to `out`. Its name section keeps its own names and, for functions
 * without one, has the names of `namings`; WI_MATCHED_MARK precedes names of other builds. Other
 * subsections are kept. A section of confidences in matched names follows. Sets out->failed if
 * memory ran out.
 */
static void write_module(wi_buffer *out, const wi_build *build, const wi_namings *namings) {
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

/* The naming of the input's modules: itself, or the core modules of a component. */
typedef struct name_run {
  const wi_name_sources *sources;
  wi_component component; /* without parts if the input is a module */
  uint32_t count;
  wi_build *builds;         /* one per module, opened in order; owned */
  wi_namings *namings;      /* one per module; owned */
  wi_signatures signatures; /* of all sources */
  wi_error *error;
  const char *path; /* of the file that *error is about; NULL: the input */
} name_run;

static bool open_module(name_run *run, const uint8_t *bytes, size_t size) {
  wi_build *build = &run->builds[run->count];
  if (!wi_build_open(build, bytes, size, run->error))
    return false;
  run->namings[run->count++] = (wi_namings){.module = &build->module, .own = build->names};
  return true;
}

static bool allocate(name_run *run, uint32_t count) {
  run->builds = calloc(count + (size_t)1, sizeof *run->builds);
  run->namings = calloc(count + (size_t)1, sizeof *run->namings);
  return (run->builds && run->namings) || wi_error_memory(run->error);
}

/* Makes an offset in a module one in the input. */
static bool fail_in(const name_run *run, const uint8_t *module) {
  if (run->error->offset != WI_NO_OFFSET && run->component.bytes)
    run->error->offset += (uint32_t)(module - run->component.bytes);
  return false;
}

static bool open_component(name_run *run, const uint8_t *bytes, size_t size) {
  if (!wi_component_read(&run->component, bytes, size, run->error) ||
      !allocate(run, run->component.module_count))
    return false;
  for (uint32_t i = 0; i < run->component.parts_count; i++) {
    const wi_component_part *part = &run->component.parts[i];
    const uint8_t *module = bytes + part->bytes.offset;
    if (part->is_module && !open_module(run, module, part->bytes.size))
      return fail_in(run, module);
  }
  return true;
}

static bool open_input(name_run *run, const uint8_t *bytes, size_t size) {
  return wi_component_is(bytes, size) ? open_component(run, bytes, size)
                                      : allocate(run, 1) && open_module(run, bytes, size);
}

static void close_input(name_run *run) {
  for (uint32_t i = 0; i < run->count; i++) {
    wi_namings_clear(&run->namings[i]);
    wi_build_close(&run->builds[i]);
  }
  free(run->namings);
  free(run->builds);
  wi_signatures_clear(&run->signatures);
  wi_component_clear(&run->component);
}

/* Whether two files have the same name up to its first dot: app.wasm and app.js.symbols. */
static bool are_named_alike(const char *left, const char *right) {
  const char *a = wi_path_name(left), *b = wi_path_name(right);
  size_t size = strcspn(a, ".");
  return size > 0 && size == strcspn(b, ".") && memcmp(a, b, size) == 0;
}

static bool is_meant(const wi_name_sources *sources, const char *path) {
  return !sources->is_any || (sources->module_path && are_named_alike(path, sources->module_path));
}

/* Adds the names that a file has. If it gives none, that is not an error, but said. */
static bool add_file(name_run *run, const char *path) {
  const wi_name_sources *sources = run->sources;
  uint8_t *bytes;
  size_t size;
  wi_name_file_use use;
  const wi_namings *culprit;
  run->path = path;
  if (!sources->read(path, WI_FILE_SIZE_LIMIT, &bytes, &size))
    return false;
  const wi_name_file file = {bytes, size, is_meant(sources, path)};
  bool done = wi_name_file_add(run->namings, run->count, &run->signatures, &file, &use, run->error,
                               &culprit);
  free(bytes);
  if (done && wi_name_file_problem(use))
    sources->note(sources->user, path, wi_name_file_problem(use));
  if (!culprit)
    return done;
  run->path = NULL;
  return fail_in(run, run->builds[culprit - run->namings].bytes);
}

/* Adds names of exports from the script beside the module, where reports find them, too. */
static bool add_glue(const name_run *run, wi_namings *namings) {
  const wi_name_sources *sources = run->sources;
  wi_glue glue;
  if (!sources->module_path && !sources->caller)
    return true;
  bool done =
      wi_glue_read(&glue, namings->module, sources->module_path, sources->caller, sources->read) &&
      wi_name_glue_add(namings, &glue);
  wi_glue_clear(&glue);
  return done || wi_error_memory(run->error);
}

/* Adds names that need no other build, unless hooks have changed the module's code. */
static bool add_known(const name_run *run, const wi_build *build, wi_namings *namings) {
  const wi_signatures *signatures = &run->signatures;
  wi_marker ignored;
  if (wi_marker_of_module(&build->module, &ignored))
    return true;
  if (signatures->items_count > 0 &&
      !wi_signatures_name(signatures, namings, build->names, run->error))
    return false;
  return !run->sources->hints || wi_hints_add(namings, build->names) || wi_error_memory(run->error);
}

static bool add_names(name_run *run) {
  for (size_t i = 0; i < run->sources->count; i++)
    if (!add_file(run, run->sources->paths[i]))
      return false;
  run->path = NULL;
  for (uint32_t i = 0; i < run->count; i++)
    if (!add_glue(run, &run->namings[i]))
      return false;
  if (run->sources->hints && !wi_signatures_read_known(&run->signatures, run->error))
    return false;
  for (uint32_t i = 0; i < run->count; i++)
    if (!add_known(run, &run->builds[i], &run->namings[i]))
      return fail_in(run, run->builds[i].bytes);
  return true;
}

/* ---- Writing the input --------------------------------------------------------------------- */

/* Writes each module that gained names. `written` has a buffer for each. */
static bool write_modules(const name_run *run, wi_buffer *written) {
  bool is_any = false;
  for (uint32_t i = 0; i < run->count; i++)
    if (run->namings[i].named_count > 0) {
      write_module(&written[i], &run->builds[i], &run->namings[i]);
      is_any = true;
    }
  return is_any;
}

static void splice(const name_run *run, const wi_buffer *written, wi_buffer *out) {
  const wi_component *component = &run->component;
  wi_splice *modules = calloc(component->parts_count + (size_t)1, sizeof *modules);
  out->failed = !modules;
  for (uint32_t i = 0, k = 0; modules && i < component->parts_count; i++)
    if (component->parts[i].is_module) {
      modules[i] = (wi_splice){written[k].data, written[k].size};
      out->failed |= written[k++].failed;
    }
  if (!out->failed)
    wi_component_splice(component, modules, out);
  free(modules);
}

/* Leaves *named empty if no function has a name from elsewhere. */
static bool write_input(const name_run *run, wi_buffer *named) {
  wi_buffer *written = calloc(run->count + (size_t)1, sizeof *written);
  if (!written)
    return wi_error_memory(run->error);
  bool is_any = write_modules(run, written);
  if (is_any && run->component.bytes) {
    splice(run, written, named);
  } else if (is_any) {
    *named = written[0];
    written[0] = (wi_buffer){0};
  }
  for (uint32_t i = 0; i < run->count; i++)
    wi_buffer_clear(&written[i]);
  free(written);
  return !named->failed || wi_error_memory(run->error);
}

bool wi_name_module(const uint8_t *bytes, size_t size, const wi_name_sources *sources,
                    wi_buffer *named, wi_error *error, const char **path) {
  name_run run = {.sources = sources, .error = error};
  *named = (wi_buffer){0};
  wi_error_reset(error);
  bool done = open_input(&run, bytes, size) && add_names(&run) && write_input(&run, named);
  int reason = errno; /* of a file that could not be read */
  if (!done)
    wi_buffer_clear(named);
  close_input(&run);
  *path = run.path;
  errno = reason;
  return done;
}
