/* The image: selects the parts that a program needs, and matches its imports with the program's. */
#include "hooks/embedded/image.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "code/scan_body.h"
#include "module/read.h"

/* ---- Reading ------------------------------------------------------------- */

uint32_t wi_image_global_count(const wi_image *image) {
  return wi_module_index_count(&image->module, WI_EXTERN_GLOBAL, WI_SECTION_GLOBAL);
}

bool wi_image_is_public(const wi_image *image, const wi_export *item) {
  return wi_module_span_begins(&image->module, item->name, "wasm_perf_") &&
         image->kept[item->function];
}

static bool allocate(wi_image *image) {
  const wi_module *module = &image->module;
  uint32_t count = wi_module_function_count(module);
  image->kept = calloc(count + (size_t)1, sizeof *image->kept);
  image->types = calloc(module->types_count + (size_t)1, sizeof *image->types);
  image->globals = calloc(wi_image_global_count(image) + (size_t)1, sizeof *image->globals);
  image->bound = calloc(module->imports_count + (size_t)1, sizeof *image->bound);
  return image->kept && image->types && image->globals && image->bound;
}

bool wi_image_read(wi_image *image, const uint8_t *bytes, size_t size, wi_error *error) {
  *image = (wi_image){0};
  if (!wi_module_read(&image->module, bytes, size, error))
    return false;
  if (!allocate(image)) {
    wi_image_clear(image);
    return wi_error_memory(error);
  }
  for (uint32_t i = 0; i < image->module.imports_count; i++)
    image->bound[i] = WI_NO_FUNCTION;
  for (uint32_t i = 0; i < image->module.exports_count; i++)
    if (wi_module_span_begins(&image->module, image->module.exports[i].name, "wasm_perf_"))
      image->kept[image->module.exports[i].function] = true;
  return true;
}

void wi_image_clear(wi_image *image) {
  wi_module_clear(&image->module);
  wi_scan_clear(&image->scan);
  free(image->kept);
  free(image->types);
  free(image->globals);
  free(image->bound);
  free(image->links);
  *image = (wi_image){0};
}

/* Whether the output defines the imported function itself. */
bool wi_image_is_made(const wi_image *image, uint32_t import) {
  return wi_module_span_equals(&image->module, image->module.imports[import].module, "env");
}

static uint32_t find_made(const wi_image *image, const char *name) {
  for (uint32_t i = 0; i < image->module.imports_count; i++)
    if (wi_image_is_made(image, i) &&
        wi_module_span_equals(&image->module, image->module.imports[i].field, name))
      return i;
  return WI_NO_FUNCTION;
}

bool wi_image_link(wi_image *image, const char *import_name, const char *export_name) {
  wi_image_pair pair = {find_made(image, import_name),
                        wi_module_find_export(&image->module, export_name)};
  if (pair.import == WI_NO_FUNCTION || pair.function == WI_NO_FUNCTION)
    return true;
  wi_image_pair *added = WI_ARRAY_PUSH(image, links);
  if (added)
    *added = pair;
  return added != NULL;
}

bool wi_image_link_parts(wi_image *image, const char *name) {
  static const char each[] = "each";
  bool done = true;
  for (uint32_t i = 0; i < image->module.imports_count && done; i++) {
    wi_span field = image->module.imports[i].field;
    char import_name[64], export_name[64];
    if (!wi_image_is_made(image, i) || !wi_module_span_begins(&image->module, field, each))
      continue;
    snprintf(import_name, sizeof import_name, "%.*s", (int)field.size,
             (const char *)image->module.bytes + field.offset);
    snprintf(export_name, sizeof export_name, "%s%s", name, import_name + strlen(each));
    done = wi_image_link(image, import_name, export_name);
  }
  return done;
}

/* ---- Kept parts -------------------------------------------------------------- */

void wi_image_keep(wi_image *image, const char *export_name) {
  uint32_t function = wi_module_find_export(&image->module, export_name);
  if (function != WI_NO_FUNCTION)
    image->kept[function] = true;
}

void wi_image_drop(wi_image *image, const char *export_name) {
  uint32_t function = wi_module_find_export(&image->module, export_name);
  if (function != WI_NO_FUNCTION)
    image->kept[function] = false;
}

bool wi_image_scan(wi_image *image, uint32_t function, wi_error *error) {
  static const wi_scan_wants wants = {.indices = true};
  return wi_scan_body(&image->scan, &image->module, function - image->module.imports_count, &wants,
                      error);
}

/* Adds the function's callees to `kept`. */
static bool keep_callees(wi_image *image, uint32_t function, bool *kept, wi_error *error) {
  if (function < image->module.imports_count) {
    for (uint32_t i = 0; i < image->links_count; i++)
      kept[image->links[i].function] |= image->links[i].import == function;
    return true;
  }
  if (!wi_image_scan(image, function, error))
    return false;
  for (uint32_t i = 0; i < image->scan.sites_count; i++) {
    const wi_site *site = &image->scan.sites[i];
    if (site->kind == WI_SITE_FUNCTION_INDEX || site->kind == WI_SITE_IMPORT_CALL)
      kept[site->value] = true;
  }
  return true;
}

/* Adds the functions reachable from `kept` to it. */
static bool keep_reached(wi_image *image, bool *kept, wi_error *error) {
  uint32_t count = wi_module_function_count(&image->module);
  bool *done = calloc(count + (size_t)1, sizeof *done);
  if (!done)
    return wi_error_memory(error);
  bool ok = true;
  for (bool again = true; again && ok;) {
    again = false;
    for (uint32_t i = 0; i < count && ok; i++) {
      if (!kept[i] || done[i])
        continue;
      done[i] = again = true;
      ok = keep_callees(image, i, kept, error);
    }
  }
  free(done);
  return ok;
}

/* Marks the types and globals that kept functions use. wi_merge_place replaces marks by indices. */
static bool mark_parts(wi_image *image, wi_error *error) {
  const wi_module *module = &image->module;
  for (uint32_t i = 0; i < module->imports_count; i++)
    if (image->kept[i])
      image->types[module->imports[i].type_index] = true;
  for (uint32_t i = module->imports_count; i < wi_module_function_count(module); i++) {
    if (!image->kept[i])
      continue;
    image->types[module->function_types[i - module->imports_count]] = true;
    if (!wi_image_scan(image, i, error))
      return false;
    for (uint32_t k = 0; k < image->scan.sites_count; k++)
      if (image->scan.sites[k].kind == WI_SITE_GLOBAL_INDEX)
        image->globals[image->scan.sites[k].value] = true;
  }
  return true;
}

bool wi_image_shake(wi_image *image, wi_error *error) {
  return keep_reached(image, image->kept, error) && mark_parts(image, error);
}

/* ---- Binding imports --------------------------------------------------------- */

static bool is_same_text(const wi_module *a, wi_span in_a, const wi_module *b, wi_span in_b,
                         uint32_t size) {
  return memcmp(a->bytes + in_a.offset, b->bytes + in_b.offset, size) == 0;
}

/* The encoding of a type whose value types are one byte each: two counts and the types. */
wi_span wi_image_plain_type(const wi_type *type) {
  uint32_t size = type->param_count + 2 + type->results.size;
  uint32_t end = type->results.offset + type->results.size;
  return size <= end ? (wi_span){end - size, size} : (wi_span){0};
}

/*
 * All types of the image have the plain form, so types of other forms always differ in these bytes.
 */
bool wi_image_is_same_type(const wi_image *image, uint32_t own, const wi_module *program,
                           uint32_t theirs) {
  if (theirs >= program->types_count)
    return false;
  const wi_type *type = &program->types[theirs];
  wi_span a = wi_image_plain_type(&image->module.types[own]), b = wi_image_plain_type(type);
  return type->is_function && a.size == b.size &&
         is_same_text(&image->module, a, program, b, a.size);
}

static bool is_same_import(const wi_image *image, const wi_import *own, const wi_module *program,
                           const wi_import *import) {
  bool is_module =
      import->module.size >= own->module.size &&
      is_same_text(&image->module, own->module, program, import->module, own->module.size) &&
      (import->module.size == own->module.size ||
       program->bytes[import->module.offset + own->module.size] == '@');
  return is_module && import->field.size == own->field.size &&
         is_same_text(&image->module, own->field, program, import->field, own->field.size) &&
         wi_image_is_same_type(image, own->type_index, program, import->type_index);
}

static uint32_t find_import(const wi_image *image, uint32_t own, const wi_module *program) {
  for (uint32_t i = 0; i < program->imports_count; i++)
    if (is_same_import(image, &image->module.imports[own], program, &program->imports[i]))
      return i;
  return WI_NO_FUNCTION;
}

bool wi_image_bind(wi_image *image, const char *export_name, const wi_module *program,
                   wi_error *error) {
  uint32_t function = wi_module_find_export(&image->module, export_name);
  if (function == WI_NO_FUNCTION)
    return false;
  bool *kept = calloc(wi_module_function_count(&image->module) + (size_t)1, sizeof *kept);
  if (!kept)
    return wi_error_memory(error);
  kept[function] = true;
  bool complete = keep_reached(image, kept, error);
  for (uint32_t i = 0; i < image->module.imports_count; i++) {
    kept[i] &= !wi_image_is_made(image, i);
    complete = complete && (!kept[i] || find_import(image, i, program) != WI_NO_FUNCTION);
  }
  for (uint32_t i = 0; complete && i < image->module.imports_count; i++)
    if (kept[i])
      image->bound[i] = find_import(image, i, program);
  free(kept);
  return complete;
}

bool wi_image_bind_text(wi_image *image, const char *field, const wi_module *program,
                        uint32_t import) {
  const wi_module *own = &image->module;
  uint32_t i = 0;
  while (!wi_module_span_equals(own, own->imports[i].module, "host_text") ||
         !wi_module_span_equals(own, own->imports[i].field, field))
    i++;
  if (!wi_image_is_same_type(image, own->imports[i].type_index, program,
                             program->imports[import].type_index))
    return false;
  image->bound[i] = import;
  return true;
}

/* Whether the output imports the function. */
bool wi_image_is_added(const wi_image *image, uint32_t import) {
  return image->kept[import] && !wi_image_is_made(image, import) &&
         image->bound[import] == WI_NO_FUNCTION;
}
