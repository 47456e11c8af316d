/* Merging: places the kept parts of the image in the output and writes them. */
#include "hooks/embedded/merge.h"

#include <stdlib.h>

#include "rewrite/opcodes.h"

bool wi_merge_read(wi_merge *merge, const uint8_t *bytes, size_t size, wi_error *error) {
  *merge = (wi_merge){0};
  if (!wi_image_read(&merge->image, bytes, size, error))
    return false;
  uint32_t count = wi_module_function_count(&merge->image.module);
  merge->functions = calloc(count + (size_t)1, sizeof *merge->functions);
  if (merge->functions)
    return true;
  wi_merge_clear(merge);
  return wi_error_memory(error);
}

void wi_merge_clear(wi_merge *merge) {
  wi_image_clear(&merge->image);
  wi_edits_clear(&merge->edits);
  free(merge->functions);
  *merge = (wi_merge){0};
}

/* Whether the output defines the import, with a body. */
static bool is_kept_made(const wi_image *image, uint32_t import) {
  return image->kept[import] && wi_image_is_made(image, import);
}

static uint32_t count_imports(const wi_image *image,
                              bool (*is_counted)(const wi_image *image, uint32_t import)) {
  uint32_t count = 0;
  for (uint32_t i = 0; i < image->module.imports_count; i++)
    count += is_counted(image, i);
  return count;
}

static bool is_made_as(const wi_image *image, uint32_t import, const char *name) {
  return wi_module_span_equals(&image->module, image->module.imports[import].field, name);
}

/* What the output asks its host, through a table that the host fills: by index there. */
static const char *const questions[] = {"ask_host", "ask_clock"};
enum { QUESTION_COUNT = sizeof questions / sizeof *questions };

/* The index of the import among the questions, or QUESTION_COUNT. */
static uint32_t question_of(const wi_image *image, uint32_t import) {
  uint32_t index = 0;
  while (index < QUESTION_COUNT && !is_made_as(image, import, questions[index]))
    index++;
  return index;
}

static bool is_kept_asking(const wi_image *image, uint32_t import) {
  return is_kept_made(image, import) && question_of(image, import) < QUESTION_COUNT;
}

/* ---- Placement ------------------------------------------------------------ */

/* Replaces marks by consecutive output indices. */
static void number(uint32_t *marks, uint32_t count, uint32_t first) {
  for (uint32_t i = 0; i < count; i++)
    marks[i] = marks[i] != 0 ? first++ : UINT32_MAX;
}

/* Functions that the output defines for imports precede the image's own. */
void wi_merge_place(wi_merge *merge, const wi_merge_base *base) {
  merge->base = *base;
  uint32_t import = base->import, function = base->function;
  for (uint32_t i = 0; i < wi_module_function_count(&merge->image.module); i++) {
    if (!merge->image.kept[i])
      merge->functions[i] = WI_NO_FUNCTION;
    else if (i >= merge->image.module.imports_count || wi_image_is_made(&merge->image, i))
      merge->functions[i] = function++;
    else
      merge->functions[i] = wi_image_is_added(&merge->image, i) ? import++ : merge->image.bound[i];
  }
  number(merge->image.types, merge->image.module.types_count, base->type);
  merge->image.globals[0] = true; /* callee_slot: imported here, defined by the output */
  number(merge->image.globals, wi_image_global_count(&merge->image), base->global);
}

static const wi_section *find_section(const wi_merge *merge, wi_section_id id) {
  for (uint32_t i = 0; i < merge->image.module.sections_count; i++)
    if (merge->image.module.sections[i].id == id)
      return &merge->image.module.sections[i];
  return NULL;
}

/*
 * A cursor at the items of a section's vector, with their number in *count; both empty without the
 * section.
 */
static wi_cursor items_of(const wi_merge *merge, wi_section_id id, uint32_t *count,
                          wi_error *error) {
  const wi_section *section = find_section(merge, id);
  wi_error_reset(error);
  wi_cursor cursor =
      wi_cursor_at(merge->image.module.bytes, section ? section->payload : (wi_span){0}, error);
  *count = section ? wi_cursor_u32(&cursor) : 0;
  return cursor;
}

/* ---- Lookup ---------------------------------------------------------------- */

uint32_t wi_merge_function(const wi_merge *merge, const char *export_name) {
  uint32_t function = wi_module_find_export(&merge->image.module, export_name);
  return function == WI_NO_FUNCTION ? WI_NO_FUNCTION : merge->functions[function];
}

static uint32_t exported_global(const wi_merge *merge, const char *name) {
  uint32_t count;
  wi_error error;
  wi_cursor cursor = items_of(merge, WI_SECTION_EXPORT, &count, &error);
  for (; count > 0; count--) {
    bool is_named = wi_module_span_equals(&merge->image.module, wi_cursor_name(&cursor), name);
    uint8_t kind = wi_cursor_u8(&cursor);
    uint32_t index = wi_cursor_u32(&cursor);
    if (is_named && kind == WI_EXTERN_GLOBAL)
      return index - merge->image.module.import_counts[WI_EXTERN_GLOBAL];
  }
  return UINT32_MAX;
}

uint32_t wi_merge_global(const wi_merge *merge, const char *export_name) {
  uint32_t own = exported_global(merge, export_name);
  return merge->image.globals[own + merge->image.module.import_counts[WI_EXTERN_GLOBAL]];
}

uint32_t wi_merge_constant(const wi_merge *merge, const char *export_name) {
  uint32_t global = exported_global(merge, export_name), count;
  wi_error error;
  wi_cursor cursor = items_of(merge, WI_SECTION_GLOBAL, &count, &error);
  for (; count > 0; count--, global--) {
    wi_cursor_skip(&cursor, 3); /* type, mutability, i32.const */
    uint32_t value = (uint32_t)wi_cursor_signed(&cursor, 32);
    wi_cursor_skip(&cursor, 1); /* end */
    if (global == 0)
      return value;
  }
  return 0;
}

/* ---- Items ----------------------------------------------------------------- */

static uint32_t count_kept(const uint32_t *indices, uint32_t from, uint32_t end) {
  uint32_t count = 0;
  for (uint32_t i = from; i < end; i++)
    count += indices[i] != UINT32_MAX;
  return count;
}

static uint32_t kept_body_count(const wi_merge *merge) {
  uint32_t count = 0;
  for (uint32_t i = 0; i < merge->image.module.bodies_count; i++)
    count += merge->image.kept[merge->image.module.imports_count + i];
  return count;
}

uint32_t wi_merge_count(const wi_merge *merge, wi_section_id id) {
  const wi_module *module = &merge->image.module;
  uint32_t count = 0;
  wi_error error;
  switch (id) {
  case WI_SECTION_TYPE: return count_kept(merge->image.types, 0, module->types_count);
  case WI_SECTION_IMPORT: return count_imports(&merge->image, wi_image_is_added);
  case WI_SECTION_TABLE: return count_imports(&merge->image, is_kept_asking) > 0;
  case WI_SECTION_FUNCTION:
  case WI_SECTION_CODE: return count_imports(&merge->image, is_kept_made) + kept_body_count(merge);
  case WI_SECTION_GLOBAL:
    return count_kept(merge->image.globals, 1, wi_image_global_count(&merge->image));
  case WI_SECTION_DATA: items_of(merge, id, &count, &error); return count;
  case WI_SECTION_EXPORT:
    for (uint32_t i = 0; i < module->exports_count; i++)
      count += wi_image_is_public(&merge->image, &module->exports[i]);
    return count;
  default: return 0;
  }
}

/* The image has only function types of the plain form. */
static void put_types(const wi_merge *merge, wi_buffer *out) {
  enum { FORM_FUNCTION = 0x60 };
  for (uint32_t i = 0; i < merge->image.module.types_count; i++) {
    if (merge->image.types[i] == UINT32_MAX)
      continue;
    wi_span plain = wi_image_plain_type(&merge->image.module.types[i]);
    wi_buffer_u8(out, FORM_FUNCTION);
    wi_buffer_append(out, merge->image.module.bytes + plain.offset, plain.size);
  }
}

/* The image's globals have constant initial values. */
static void put_globals(const wi_merge *merge, wi_buffer *out) {
  uint32_t count;
  wi_error error;
  wi_cursor cursor = items_of(merge, WI_SECTION_GLOBAL, &count, &error);
  for (uint32_t i = 1; i <= count; i++) {
    uint32_t from = cursor.offset;
    wi_cursor_skip(&cursor, 3); /* type, mutability, i32.const */
    wi_cursor_signed(&cursor, 32);
    wi_cursor_skip(&cursor, 1); /* end */
    if (merge->image.globals[i] != UINT32_MAX)
      wi_buffer_append(out, cursor.bytes + from, cursor.offset - from);
  }
}

static void put_span(const wi_merge *merge, wi_span span, wi_buffer *out) {
  wi_buffer_u32(out, span.size);
  wi_buffer_append(out, merge->image.module.bytes + span.offset, span.size);
}

static void put_imports(const wi_merge *merge, wi_buffer *out) {
  for (uint32_t i = 0; i < merge->image.module.imports_count; i++) {
    const wi_import *import = &merge->image.module.imports[i];
    if (!wi_image_is_added(&merge->image, i))
      continue;
    put_span(merge, import->module, out);
    put_span(merge, import->field, out);
    wi_buffer_u8(out, WI_EXTERN_FUNCTION);
    wi_buffer_u32(out, merge->image.types[import->type_index]);
  }
}

static void put_function_types(const wi_merge *merge, wi_buffer *out) {
  const wi_module *module = &merge->image.module;
  for (uint32_t i = 0; i < module->imports_count; i++)
    if (is_kept_made(&merge->image, i))
      wi_buffer_u32(out, merge->image.types[module->imports[i].type_index]);
  for (uint32_t i = 0; i < module->bodies_count; i++)
    if (merge->image.kept[module->imports_count + i])
      wi_buffer_u32(out, merge->image.types[module->function_types[i]]);
}

static void put_exports(const wi_merge *merge, wi_buffer *out) {
  for (uint32_t i = 0; i < merge->image.module.exports_count; i++) {
    const wi_export *item = &merge->image.module.exports[i];
    if (!wi_image_is_public(&merge->image, item))
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
  case WI_SITE_GLOBAL_INDEX: wi_buffer_u32(bytes, merge->image.globals[site->value]); break;
  case WI_SITE_MEMORY_INDEX: wi_buffer_u32(bytes, merge->base.memory_index); break;
  default: /* WI_SITE_MEMARG */
    wi_buffer_u32(bytes, site->value | MEMARG_HAS_MEMORY);
    wi_buffer_u32(bytes, merge->base.memory_index);
  }
  wi_edits_end(&merge->edits);
}

/* A site covers a call of an import as a whole; its index follows the opcode. */
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
  wi_span body = merge->image.module.bodies[index];
  wi_error error;
  wi_error_reset(&error);
  if (!wi_image_scan(&merge->image, merge->image.module.imports_count + index, &error)) {
    out->failed = true; /* out of memory: the image itself is valid */
    return;
  }
  wi_edits_reset(&merge->edits);
  for (uint32_t i = 0; i < merge->image.scan.sites_count; i++) {
    const wi_site *site = &merge->image.scan.sites[i];
    if (site->kind == WI_SITE_IMPORT_CALL)
      edit_import_call(merge, site);
    else if (has_index(site))
      edit_site(merge, site);
  }
  out->failed |= merge->edits.bytes.failed;
  wi_buffer_u32(out, (uint32_t)(body.size + wi_edits_growth(&merge->edits)));
  wi_edits_apply(&merge->edits, merge->image.module.bytes, body, out);
}

/* A memory.copy of the function's parameters: destination, source, size. */
static void put_copy(const wi_merge *merge, uint32_t import, wi_buffer *out) {
  bool to_program = is_made_as(&merge->image, import, "copy_to_program");
  uint32_t program = merge->base.program_memory, own = merge->base.memory_index;
  size_t start = wi_buffer_sized_begin(out, 0);
  wi_buffer_u32(out, 0); /* no locals */
  for (uint32_t local = 0; local < 3; local++)
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

/* Calls the host's function, of the import's type. */
static void put_ask(const wi_merge *merge, uint32_t import, wi_buffer *out) {
  uint32_t type = merge->image.module.imports[import].type_index;
  size_t start = wi_buffer_sized_begin(out, 0);
  wi_buffer_u32(out, 0); /* no locals */
  for (uint32_t local = 0; local < merge->image.module.types[type].param_count; local++)
    wi_put_index(out, LOCAL_GET, local);
  wi_put_i32(out, question_of(&merge->image, import));
  wi_put_index(out, CALL_INDIRECT, merge->image.types[type]);
  wi_buffer_u32(out, merge->base.table);
  wi_buffer_u8(out, END);
  wi_buffer_sized_end(out, start, 0);
}

/* A table with a function for each question, of which the host sets those that it answers. */
static void put_tables(const wi_merge *merge, wi_buffer *out) {
  enum { FUNCREF = 0x70, HAS_MAXIMUM = 1 };
  for (uint32_t i = wi_merge_count(merge, WI_SECTION_TABLE); i > 0; i--) {
    wi_buffer_u8(out, FUNCREF);
    wi_buffer_u8(out, HAS_MAXIMUM);
    wi_buffer_u32(out, QUESTION_COUNT);
    wi_buffer_u32(out, QUESTION_COUNT);
  }
}

/* Calls the functions linked with the import, and adds up their results. */
static void put_linked(const wi_merge *merge, uint32_t import, wi_buffer *out) {
  const wi_type *type = &merge->image.module.types[merge->image.module.imports[import].type_index];
  uint8_t result = type->result_count > 0 ? merge->image.module.bytes[type->results.offset] : 0;
  bool is_first = true;
  size_t start = wi_buffer_sized_begin(out, 0);
  wi_buffer_u32(out, 0); /* no locals */
  for (uint32_t i = 0; i < merge->image.links_count; i++) {
    if (merge->image.links[i].import != import)
      continue;
    for (uint32_t local = 0; local < type->param_count; local++)
      wi_put_index(out, LOCAL_GET, local);
    wi_put_index(out, CALL, merge->functions[merge->image.links[i].function]);
    if (result != 0 && !is_first)
      wi_buffer_u8(out, result == TYPE_I32 ? I32_ADD : I64_ADD);
    is_first = false;
  }
  if (result != 0 && is_first)
    wi_put_index(out, result == TYPE_I32 ? I32_CONST : I64_CONST, 0);
  wi_buffer_u8(out, END);
  wi_buffer_sized_end(out, start, 0);
}

static void put_made(const wi_merge *merge, uint32_t import, wi_buffer *out) {
  wi_span name = merge->image.module.imports[import].field;
  if (is_made_as(&merge->image, import, "program_u32"))
    put_read(out);
  else if (question_of(&merge->image, import) < QUESTION_COUNT)
    put_ask(merge, import, out);
  else if (wi_module_span_begins(&merge->image.module, name, "copy_"))
    put_copy(merge, import, out);
  else
    put_linked(merge, import, out);
}

static void put_bodies(wi_merge *merge, wi_buffer *out) {
  const wi_module *module = &merge->image.module;
  for (uint32_t i = 0; i < module->imports_count; i++)
    if (is_kept_made(&merge->image, i))
      put_made(merge, i, out);
  for (uint32_t i = 0; i < module->bodies_count; i++)
    if (merge->image.kept[module->imports_count + i])
      put_body(merge, i, out);
}

/* Rewrites segments to name their memory: flags, memory index, then address and bytes unchanged. */
static void put_data(const wi_merge *merge, wi_buffer *out) {
  uint32_t count;
  wi_error error;
  wi_cursor cursor = items_of(merge, WI_SECTION_DATA, &count, &error);
  for (; count > 0; count--) {
    wi_cursor_skip(&cursor, 1); /* flags: active, memory 0 */
    uint32_t from = cursor.offset;
    wi_cursor_skip(&cursor, 1); /* i32.const */
    wi_cursor_signed(&cursor, 32);
    wi_cursor_skip(&cursor, 1); /* end */
    wi_cursor_sized(&cursor);
    wi_buffer_u8(out, DATA_HAS_MEMORY);
    wi_buffer_u32(out, merge->base.memory_index);
    wi_buffer_append(out, cursor.bytes + from, cursor.offset - from);
  }
}

void wi_merge_put(wi_merge *merge, wi_section_id id, wi_buffer *out) {
  switch (id) {
  case WI_SECTION_TYPE: put_types(merge, out); break;
  case WI_SECTION_GLOBAL: put_globals(merge, out); break;
  case WI_SECTION_IMPORT: put_imports(merge, out); break;
  case WI_SECTION_TABLE: put_tables(merge, out); break;
  case WI_SECTION_FUNCTION: put_function_types(merge, out); break;
  case WI_SECTION_EXPORT: put_exports(merge, out); break;
  case WI_SECTION_CODE: put_bodies(merge, out); break;
  case WI_SECTION_DATA: put_data(merge, out); break;
  default: break;
  }
}
