#include "hooks/embedded/merge.h"

#include <stdlib.h>
#include <string.h>

#include "code/scan_body.h"
#include "module/read.h"
#include "rewrite/opcodes.h"

/* ---- Reading ------------------------------------------------------------- */

bool wi_merge_read(wi_merge *merge, const uint8_t *bytes, size_t size, wi_error *error) {
  *merge = (wi_merge){0};
  if (!wi_module_read(&merge->image, bytes, size, error))
    return false;
  merge->functions = calloc(wi_module_function_count(&merge->image), sizeof *merge->functions);
  merge->bound = calloc(merge->image.imports_count + (size_t)1, sizeof *merge->bound);
  for (uint32_t i = 0; merge->bound && i < merge->image.imports_count; ++i)
    merge->bound[i] = WI_NO_FUNCTION;
  if (merge->functions && merge->bound)
    return true;
  wi_merge_clear(merge);
  return wi_error_memory(error);
}

void wi_merge_clear(wi_merge *merge) {
  wi_module_clear(&merge->image);
  wi_scan_clear(&merge->scan);
  wi_edits_clear(&merge->edits);
  free(merge->functions);
  free(merge->bound);
  *merge = (wi_merge){0};
}

/* Whether the output defines the imported function itself: an access to the program's memory. */
static bool is_copy(const wi_merge *merge, uint32_t import) {
  return wi_module_span_equals(&merge->image, merge->image.imports[import].module, "env");
}

static uint32_t copy_count(const wi_merge *merge) {
  uint32_t count = 0;
  for (uint32_t i = 0; i < merge->image.imports_count; ++i)
    count += is_copy(merge, i);
  return count;
}

/* ---- Imports that the program has -------------------------------------------- */

static bool is_same_text(const wi_module *a, wi_span in_a, const wi_module *b, wi_span in_b,
                         uint32_t size) {
  return memcmp(a->bytes + in_a.offset, b->bytes + in_b.offset, size) == 0;
}

/* The encoding of a type whose value types are one byte each: two counts and the types. */
static wi_span plain_type(const wi_type *type) {
  uint32_t size = type->param_count + 2 + type->results.size;
  uint32_t end = type->results.offset + type->results.size;
  return size <= end ? (wi_span){end - size, size} : (wi_span){0};
}

/* Types of other forms differ in these bytes from the image's, which all have that form. */
static bool is_same_type(const wi_merge *merge, const wi_import *own, const wi_module *program,
                         const wi_import *import) {
  if (import->type_index >= program->types_count)
    return false;
  const wi_type *theirs = &program->types[import->type_index];
  wi_span a = plain_type(&merge->image.types[own->type_index]), b = plain_type(theirs);
  return theirs->is_function && a.size == b.size &&
         is_same_text(&merge->image, a, program, b, a.size);
}

static bool is_same_import(const wi_merge *merge, const wi_import *own, const wi_module *program,
                           const wi_import *import) {
  bool is_module =
      import->module.size >= own->module.size &&
      is_same_text(&merge->image, own->module, program, import->module, own->module.size) &&
      (import->module.size == own->module.size ||
       program->bytes[import->module.offset + own->module.size] == '@');
  return is_module && import->field.size == own->field.size &&
         is_same_text(&merge->image, own->field, program, import->field, own->field.size) &&
         is_same_type(merge, own, program, import);
}

bool wi_merge_bind(wi_merge *merge, const wi_module *program) {
  bool complete = true;
  for (uint32_t i = 0; i < merge->image.imports_count; ++i) {
    if (is_copy(merge, i))
      continue;
    for (uint32_t k = 0; k < program->imports_count && merge->bound[i] == WI_NO_FUNCTION; ++k)
      if (is_same_import(merge, &merge->image.imports[i], program, &program->imports[k]))
        merge->bound[i] = k;
    complete &= merge->bound[i] != WI_NO_FUNCTION;
  }
  return complete;
}

/* Whether the import becomes one of the output. */
static bool is_added(const wi_merge *merge, uint32_t import) {
  return !is_copy(merge, import) && merge->bound[import] == WI_NO_FUNCTION;
}

static uint32_t added_import_count(const wi_merge *merge) {
  uint32_t count = 0;
  for (uint32_t i = 0; i < merge->image.imports_count; ++i)
    count += is_added(merge, i);
  return count;
}

/* The copies come first among the added functions. */
void wi_merge_place(wi_merge *merge, const wi_merge_base *base) {
  merge->base = *base;
  uint32_t import = base->import, function = base->function;
  for (uint32_t i = 0; i < wi_module_function_count(&merge->image); ++i) {
    if (i >= merge->image.imports_count || is_copy(merge, i))
      merge->functions[i] = function++;
    else
      merge->functions[i] = is_added(merge, i) ? import++ : merge->bound[i];
  }
}

static const wi_section *find_section(const wi_merge *merge, wi_section_id id) {
  for (uint32_t i = 0; i < merge->image.sections_count; ++i)
    if (merge->image.sections[i].id == id)
      return &merge->image.sections[i];
  return NULL;
}

/*
 * A cursor at the items of a section's vector, their number in *count; empty where there is none.
 */
static wi_cursor items_of(const wi_merge *merge, wi_section_id id, uint32_t *count,
                          wi_error *error) {
  const wi_section *section = find_section(merge, id);
  wi_error_reset(error);
  wi_cursor cursor =
      wi_cursor_at(merge->image.bytes, section ? section->payload : (wi_span){0}, error);
  *count = section ? wi_cursor_u32(&cursor) : 0;
  return cursor;
}

/* ---- Looking things up ----------------------------------------------------- */

uint32_t wi_merge_function(const wi_merge *merge, const char *export_name) {
  uint32_t function = wi_module_find_export(&merge->image, export_name);
  return function == WI_NO_FUNCTION ? WI_NO_FUNCTION : merge->functions[function];
}

static uint32_t exported_global(const wi_merge *merge, const char *name) {
  uint32_t count;
  wi_error error;
  wi_cursor cursor = items_of(merge, WI_SECTION_EXPORT, &count, &error);
  for (; count > 0; --count) {
    bool is_named = wi_module_span_equals(&merge->image, wi_cursor_name(&cursor), name);
    uint8_t kind = wi_cursor_u8(&cursor);
    uint32_t index = wi_cursor_u32(&cursor);
    if (is_named && kind == WI_EXTERN_GLOBAL)
      return index - merge->image.import_counts[WI_EXTERN_GLOBAL];
  }
  return UINT32_MAX;
}

uint32_t wi_merge_constant(const wi_merge *merge, const char *export_name) {
  uint32_t global = exported_global(merge, export_name), count;
  wi_error error;
  wi_cursor cursor = items_of(merge, WI_SECTION_GLOBAL, &count, &error);
  for (; count > 0; --count, --global) {
    wi_cursor_skip(&cursor, 3); /* type, mutability, i32.const */
    uint32_t value = (uint32_t)wi_cursor_signed(&cursor, 32);
    wi_cursor_skip(&cursor, 1); /* end */
    if (global == 0)
      return value;
  }
  return 0;
}

bool wi_merge_is_public(const wi_merge *merge, const wi_export *item) {
  return wi_module_span_begins(&merge->image, item->name, "wasm_perf_");
}

/* ---- Items ----------------------------------------------------------------- */

uint32_t wi_merge_count(const wi_merge *merge, wi_section_id id) {
  const wi_module *image = &merge->image;
  uint32_t count = 0;
  wi_error error;
  switch (id) {
  case WI_SECTION_TYPE: return image->types_count;
  case WI_SECTION_IMPORT: return added_import_count(merge);
  case WI_SECTION_FUNCTION:
  case WI_SECTION_CODE: return copy_count(merge) + image->bodies_count;
  case WI_SECTION_GLOBAL:
  case WI_SECTION_DATA: items_of(merge, id, &count, &error); return count;
  case WI_SECTION_EXPORT:
    for (uint32_t i = 0; i < image->exports_count; ++i)
      count += wi_merge_is_public(merge, &image->exports[i]);
    return count;
  default: return 0;
  }
}

/* Types and the globals, whose initial values are constants, hold no index. */
static void put_as_they_are(const wi_merge *merge, wi_section_id id, wi_buffer *out) {
  uint32_t count;
  wi_error error;
  wi_cursor cursor = items_of(merge, id, &count, &error);
  wi_buffer_append(out, cursor.bytes + cursor.offset, wi_cursor_left(&cursor));
}

static void put_span(const wi_merge *merge, wi_span span, wi_buffer *out) {
  wi_buffer_u32(out, span.size);
  wi_buffer_append(out, merge->image.bytes + span.offset, span.size);
}

static void put_imports(const wi_merge *merge, wi_buffer *out) {
  for (uint32_t i = 0; i < merge->image.imports_count; ++i) {
    const wi_import *import = &merge->image.imports[i];
    if (!is_added(merge, i))
      continue;
    put_span(merge, import->module, out);
    put_span(merge, import->field, out);
    wi_buffer_u8(out, WI_EXTERN_FUNCTION);
    wi_buffer_u32(out, merge->base.type + import->type_index);
  }
}

static void put_function_types(const wi_merge *merge, wi_buffer *out) {
  for (uint32_t i = 0; i < merge->image.imports_count; ++i)
    if (is_copy(merge, i))
      wi_buffer_u32(out, merge->base.type + merge->image.imports[i].type_index);
  for (uint32_t i = 0; i < merge->image.bodies_count; ++i)
    wi_buffer_u32(out, merge->base.type + merge->image.function_types[i]);
}

static void put_exports(const wi_merge *merge, wi_buffer *out) {
  for (uint32_t i = 0; i < merge->image.exports_count; ++i) {
    const wi_export *item = &merge->image.exports[i];
    if (!wi_merge_is_public(merge, item))
      continue;
    put_span(merge, item->name, out);
    wi_buffer_u8(out, WI_EXTERN_FUNCTION);
    wi_buffer_u32(out, merge->functions[item->function]);
  }
}

/* Replaces the immediate at a site. */
static void edit_site(wi_merge *merge, const wi_site *site) {
  wi_buffer *bytes = &merge->edits.bytes;
  wi_edits_begin(&merge->edits, site->offset, site->size);
  switch ((wi_site_kind)site->kind) {
  case WI_SITE_FUNCTION_INDEX: wi_buffer_u32(bytes, merge->functions[site->value]); break;
  case WI_SITE_GLOBAL_INDEX: wi_buffer_u32(bytes, merge->base.global + site->value); break;
  case WI_SITE_MEMORY_INDEX: wi_buffer_u32(bytes, merge->base.memory); break;
  default: /* WI_SITE_MEMARG */
    wi_buffer_u32(bytes, site->value | MEMARG_HAS_MEMORY);
    wi_buffer_u32(bytes, merge->base.memory);
  }
  wi_edits_end(&merge->edits);
}

/* A call of an import is one site; its index stands after the opcode. */
static void edit_import_call(wi_merge *merge, const wi_site *site) {
  wi_edits_begin(&merge->edits, site->offset + 1, site->size - 1u);
  wi_buffer_u32(&merge->edits.bytes, merge->functions[site->value]);
  wi_edits_end(&merge->edits);
}

static bool has_index(const wi_site *site) {
  return site->kind == WI_SITE_FUNCTION_INDEX || site->kind == WI_SITE_GLOBAL_INDEX ||
         site->kind == WI_SITE_MEMORY_INDEX || site->kind == WI_SITE_MEMARG;
}

static void put_body(wi_merge *merge, uint32_t index, wi_buffer *out) {
  static const wi_scan_wants wants = {.indices = true};
  wi_span body = merge->image.bodies[index];
  wi_error error;
  wi_error_reset(&error);
  if (!wi_scan_body(&merge->scan, &merge->image, index, &wants, &error)) {
    out->failed = true; /* memory: the image itself is sound */
    return;
  }
  wi_edits_reset(&merge->edits);
  for (uint32_t i = 0; i < merge->scan.sites_count; ++i) {
    const wi_site *site = &merge->scan.sites[i];
    if (site->kind == WI_SITE_IMPORT_CALL)
      edit_import_call(merge, site);
    else if (has_index(site))
      edit_site(merge, site);
  }
  out->failed |= merge->edits.bytes.failed;
  wi_buffer_u32(out, (uint32_t)(body.size + wi_edits_growth(&merge->edits)));
  wi_edits_apply(&merge->edits, merge->image.bytes, body, out);
}

/* memory.copy of the function's parameters: destination, source, size. */
static void put_copy(const wi_merge *merge, uint32_t import, wi_buffer *out) {
  bool to_program =
      wi_module_span_equals(&merge->image, merge->image.imports[import].field, "copy_to_program");
  uint32_t program = merge->base.program_memory, own = merge->base.memory;
  size_t start = wi_buffer_sized_begin(out, 0);
  wi_buffer_u32(out, 0); /* no locals */
  for (uint32_t local = 0; local < 3; ++local)
    wi_put_index(out, LOCAL_GET, local);
  wi_buffer_u8(out, PREFIX_FC);
  wi_buffer_u32(out, MEMORY_COPY);
  wi_buffer_u32(out, to_program ? program : own);
  wi_buffer_u32(out, to_program ? own : program);
  wi_buffer_u8(out, END);
  wi_buffer_sized_end(out, start, 0);
}

/* address + 4 <= size ? load : 0 */
static void put_read(wi_buffer *out) {
  enum { PAGE_BITS = 16, WORD_SIZE = 4, FIRST_MEMORY = 0, NOT_ALIGNED = 0 };
  static const uint8_t is_inside[] = {LOCAL_GET,        0,         I64_EXTEND_I32_U, I64_CONST,
                                      WORD_SIZE,        I64_ADD,   MEMORY_SIZE,      FIRST_MEMORY,
                                      I64_EXTEND_I32_U, I64_CONST, PAGE_BITS,        I64_SHL,
                                      I64_LE_U};
  static const uint8_t load[] = {IF, TYPE_I32, LOCAL_GET, 0, I32_LOAD, NOT_ALIGNED,
                                 0,  ELSE,     I32_CONST, 0, END,      END};
  size_t start = wi_buffer_sized_begin(out, 0);
  wi_buffer_u32(out, 0); /* no locals */
  wi_buffer_append(out, is_inside, sizeof is_inside);
  wi_buffer_append(out, load, sizeof load);
  wi_buffer_sized_end(out, start, 0);
}

static void put_access(const wi_merge *merge, uint32_t import, wi_buffer *out) {
  if (wi_module_span_equals(&merge->image, merge->image.imports[import].field, "program_u32"))
    put_read(out);
  else
    put_copy(merge, import, out);
}

static void put_bodies(wi_merge *merge, wi_buffer *out) {
  for (uint32_t i = 0; i < merge->image.imports_count; ++i)
    if (is_copy(merge, i))
      put_access(merge, i, out);
  for (uint32_t i = 0; i < merge->image.bodies_count; ++i)
    put_body(merge, i, out);
}

/* Segments that name their memory: flags, index, then address and bytes as they stand. */
static void put_data(const wi_merge *merge, wi_buffer *out) {
  uint32_t count;
  wi_error error;
  wi_cursor cursor = items_of(merge, WI_SECTION_DATA, &count, &error);
  for (; count > 0; --count) {
    wi_cursor_skip(&cursor, 1); /* flags: active, memory 0 */
    uint32_t from = cursor.offset;
    wi_cursor_skip(&cursor, 1); /* i32.const */
    wi_cursor_signed(&cursor, 32);
    wi_cursor_skip(&cursor, 1); /* end */
    wi_cursor_sized(&cursor);
    wi_buffer_u8(out, DATA_HAS_MEMORY);
    wi_buffer_u32(out, merge->base.memory);
    wi_buffer_append(out, cursor.bytes + from, cursor.offset - from);
  }
}

void wi_merge_put(wi_merge *merge, wi_section_id id, wi_buffer *out) {
  switch (id) {
  case WI_SECTION_TYPE:
  case WI_SECTION_GLOBAL: put_as_they_are(merge, id, out); break;
  case WI_SECTION_IMPORT: put_imports(merge, out); break;
  case WI_SECTION_FUNCTION: put_function_types(merge, out); break;
  case WI_SECTION_EXPORT: put_exports(merge, out); break;
  case WI_SECTION_CODE: put_bodies(merge, out); break;
  case WI_SECTION_DATA: put_data(merge, out); break;
  default: break;
  }
}
