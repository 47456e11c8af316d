/*
 * The project's own section reader: all of WebAssembly 3.0 (core specification, 5.4 and 5.5), plus
 * the compact import section.
 *
 * It parses what the rewriter needs and checks the framing of everything else. Constant expressions
 * are checked by the scanner when their sections are rewritten.
 */
#include "module/read_sections.h"

#include "module/proposals.h"
#include "module/value_types.h"

enum {
  FORM_FUNC = 0x60,
  FORM_STRUCT = 0x5f,
  FORM_ARRAY = 0x5e,
  FORM_SUB = 0x50,
  FORM_SUB_FINAL = 0x4f,
  FORM_REC = 0x4e,
  COMPACT_TYPED = 0x7f, /* a vector of (name, type) */
  COMPACT_SHARED = 0x7e /* one type, a vector of names */
};

/* ---- Types -------------------------------------------------------------- */

static uint32_t skip_value_types(wi_cursor *cursor, wi_span *span) {
  uint32_t count = wi_cursor_count(cursor, 1, "value types");
  uint32_t start = cursor->offset;
  for (uint32_t i = 0; i < count && !cursor->failed; i++)
    wi_skip_value_type(cursor);
  *span = (wi_span){start, cursor->offset - start};
  return count;
}

static void read_function_type(wi_cursor *cursor, wi_type *type) {
  type->is_function = true;
  type->param_count = skip_value_types(cursor, &type->params);
  type->result_count = skip_value_types(cursor, &type->results);
}

static void read_fields(wi_cursor *cursor, uint32_t count, wi_type *type) {
  uint32_t start = cursor->offset;
  for (; count > 0 && !cursor->failed; count--)
    wi_field_type_size(cursor);
  type->fields = (wi_span){start, cursor->offset - start};
}

static void read_composite_type(wi_cursor *cursor, wi_type *type) {
  uint32_t start = cursor->offset;
  uint8_t form = wi_cursor_u8(cursor);
  switch (form) {
  case FORM_FUNC: read_function_type(cursor, type); break;
  case FORM_ARRAY:
    type->is_array = true;
    read_fields(cursor, 1, type);
    break;
  case FORM_STRUCT: read_fields(cursor, wi_cursor_count(cursor, 2, "fields"), type); break;
  default: wi_proposal_fail(cursor, start, WI_PROPOSAL_TYPE_FORM, form, "type form");
  }
}

static void read_sub_type(wi_module *module, wi_cursor *cursor) {
  wi_type *type = WI_ARRAY_PUSH(module, types);
  if (!type) {
    wi_cursor_fail_memory(cursor);
    return;
  }
  *type = (wi_type){0};
  uint8_t form = wi_cursor_peek(cursor);
  if (form == FORM_SUB || form == FORM_SUB_FINAL) {
    wi_cursor_skip(cursor, 1);
    for (uint32_t n = wi_cursor_count(cursor, 1, "supertypes"); n > 0 && !cursor->failed; n--)
      wi_cursor_u32(cursor);
  }
  read_composite_type(cursor, type);
}

static void read_recursion_group(wi_module *module, wi_cursor *cursor) {
  if (wi_cursor_peek(cursor) != FORM_REC) {
    read_sub_type(module, cursor);
    return;
  }
  wi_cursor_skip(cursor, 1);
  for (uint32_t n = wi_cursor_count(cursor, 2, "types"); n > 0 && !cursor->failed; n--)
    read_sub_type(module, cursor);
}

static void read_type_section(wi_module *module, wi_cursor *cursor) {
  for (uint32_t n = wi_cursor_count(cursor, 2, "types"); n > 0 && !cursor->failed; n--)
    read_recursion_group(module, cursor);
}

/* ---- Imports ------------------------------------------------------------ */

/*
 * Reads an import's type. Returns the type index of a function or tag, or the limits' flags of a
 * memory or table.
 */
static uint32_t read_extern_type(wi_cursor *cursor, uint8_t kind) {
  switch (kind) {
  case WI_EXTERN_FUNCTION: return wi_cursor_u32(cursor);
  case WI_EXTERN_TABLE: {
    wi_skip_reference_type(cursor);
    uint8_t flags = wi_cursor_peek(cursor);
    wi_skip_limits(cursor, WI_LIMITS_OF_TABLE);
    return flags;
  }
  case WI_EXTERN_MEMORY: {
    uint8_t flags = wi_cursor_peek(cursor);
    wi_skip_limits(cursor, WI_LIMITS_OF_MEMORY);
    return flags;
  }
  case WI_EXTERN_GLOBAL: wi_skip_global_type(cursor); break;
  case WI_EXTERN_TAG:
    if (wi_cursor_u8(cursor) != 0)
      wi_cursor_fail(cursor, WI_ERROR_MALFORMED, cursor->offset - 1, "malformed tag attribute");
    return wi_cursor_u32(cursor);
  default:
    wi_proposal_fail(cursor, cursor->offset - 1, WI_PROPOSAL_EXTERN_KIND, kind, "import kind");
  }
  return 0;
}

static void add_limits(wi_module *module, wi_cursor *cursor, uint8_t kind, uint32_t flags) {
  uint8_t *item = kind == WI_EXTERN_MEMORY ? WI_ARRAY_PUSH(module, imported_memories)
                                           : WI_ARRAY_PUSH(module, imported_tables);
  if (item)
    *item = (uint8_t)flags;
  else
    wi_cursor_fail_memory(cursor);
}

static void add_import(wi_module *module, wi_cursor *cursor, uint8_t kind, wi_import import) {
  if (cursor->failed)
    return;
  module->import_counts[kind]++;
  if (kind == WI_EXTERN_MEMORY || kind == WI_EXTERN_TABLE)
    add_limits(module, cursor, kind, import.type_index);
  if (kind != WI_EXTERN_FUNCTION)
    return;
  wi_import *item = WI_ARRAY_PUSH(module, imports);
  if (item)
    *item = import;
  else
    wi_cursor_fail_memory(cursor);
}

static void read_compact_typed(wi_module *module, wi_cursor *cursor, wi_span from) {
  for (uint32_t n = wi_cursor_count(cursor, 3, "imports"); n > 0 && !cursor->failed; n--) {
    wi_span field = wi_cursor_name(cursor);
    uint8_t kind = wi_cursor_u8(cursor);
    uint32_t type_index = read_extern_type(cursor, kind);
    add_import(module, cursor, kind, (wi_import){from, field, type_index});
  }
}

static void read_compact_shared(wi_module *module, wi_cursor *cursor, wi_span from) {
  uint8_t kind = wi_cursor_u8(cursor);
  uint32_t type_index = read_extern_type(cursor, kind);
  for (uint32_t n = wi_cursor_count(cursor, 1, "imports"); n > 0 && !cursor->failed; n--) {
    wi_span field = wi_cursor_name(cursor);
    add_import(module, cursor, kind, (wi_import){from, field, type_index});
  }
}

static void read_import(wi_module *module, wi_cursor *cursor) {
  wi_span from = wi_cursor_name(cursor);
  wi_span field = wi_cursor_name(cursor);
  uint8_t kind = wi_cursor_u8(cursor);
  if (field.size == 0 && kind == COMPACT_TYPED) {
    read_compact_typed(module, cursor, from);
  } else if (field.size == 0 && kind == COMPACT_SHARED) {
    read_compact_shared(module, cursor, from);
  } else {
    uint32_t type_index = read_extern_type(cursor, kind);
    add_import(module, cursor, kind, (wi_import){from, field, type_index});
  }
}

static void read_import_section(wi_module *module, wi_cursor *cursor) {
  for (uint32_t n = wi_cursor_count(cursor, 4, "imports"); n > 0 && !cursor->failed; n--)
    read_import(module, cursor);
}

/* ---- Functions, exports, code ------------------------------------------- */

static void read_function_section(wi_module *module, wi_cursor *cursor) {
  for (uint32_t n = wi_cursor_count(cursor, 1, "functions"); n > 0 && !cursor->failed; n--) {
    uint32_t *type_index = WI_ARRAY_PUSH(module, function_types);
    if (type_index)
      *type_index = wi_cursor_u32(cursor);
    else
      wi_cursor_fail_memory(cursor);
  }
}

static void read_export_section(wi_module *module, wi_cursor *cursor) {
  for (uint32_t n = wi_cursor_count(cursor, 3, "exports"); n > 0 && !cursor->failed; n--) {
    wi_span name = wi_cursor_name(cursor);
    uint8_t kind = wi_cursor_u8(cursor);
    if (kind >= WI_EXTERN_KIND_COUNT)
      wi_proposal_fail(cursor, cursor->offset - 1, WI_PROPOSAL_EXTERN_KIND, kind, "export kind");
    uint32_t index = wi_cursor_u32(cursor);
    if (kind != WI_EXTERN_FUNCTION || cursor->failed)
      continue;
    wi_export *item = WI_ARRAY_PUSH(module, exports);
    if (item)
      *item = (wi_export){name, index};
    else
      wi_cursor_fail_memory(cursor);
  }
}

static void read_code_section(wi_module *module, wi_cursor *cursor) {
  uint32_t count = wi_cursor_count(cursor, 1, "function bodies");
  for (uint32_t i = 0; i < count && !cursor->failed; i++) {
    cursor->function = module->imports_count + i;
    wi_span body = wi_cursor_sized(cursor);
    wi_span *item = WI_ARRAY_PUSH(module, bodies);
    if (item)
      *item = body;
    else
      wi_cursor_fail_memory(cursor);
  }
  cursor->function = WI_NO_FUNCTION;
}

/* ---- The module --------------------------------------------------------- */

typedef void section_reader(wi_module *module, wi_cursor *cursor);

static section_reader *const section_readers[WI_SECTION_ID_COUNT] = {
    [WI_SECTION_TYPE] = read_type_section,         [WI_SECTION_IMPORT] = read_import_section,
    [WI_SECTION_FUNCTION] = read_function_section, [WI_SECTION_EXPORT] = read_export_section,
    [WI_SECTION_CODE] = read_code_section,
};

static bool read_section_contents(wi_module *module, wi_section *section, wi_error *error) {
  wi_cursor cursor = wi_cursor_at(module->bytes, section->payload, error);
  if (section->id == WI_SECTION_CUSTOM) {
    section->name = wi_cursor_name(&cursor);
    return !cursor.failed;
  }
  section_reader *read = section_readers[section->id];
  if (!read)
    return true;
  read(module, &cursor);
  if (!cursor.failed && cursor.offset != cursor.end)
    wi_cursor_fail(&cursor, WI_ERROR_MALFORMED, cursor.offset, "section %u has %u bytes too many",
                   section->id, wi_cursor_left(&cursor));
  return !cursor.failed;
}

static bool check_section_id(wi_cursor *cursor, uint8_t id, unsigned *last_order) {
  uint32_t offset = cursor->offset - 1;
  if (id >= WI_SECTION_ID_COUNT)
    return wi_cursor_fail(cursor, WI_ERROR_MALFORMED, offset, "malformed section id %u", id);
  if (id == WI_SECTION_CUSTOM)
    return true;
  if (wi_section_order(id) <= *last_order)
    return wi_cursor_fail(cursor, WI_ERROR_MALFORMED, offset, "section %u is out of order", id);
  *last_order = wi_section_order(id);
  return true;
}

static bool read_all(wi_module *module, wi_error *error) {
  wi_span all = {WI_MODULE_HEADER_SIZE, module->size - WI_MODULE_HEADER_SIZE};
  wi_cursor cursor = wi_cursor_at(module->bytes, all, error);
  unsigned last_order = 0;
  module->reader = "wasm-instrument";
  while (wi_cursor_left(&cursor) > 0) {
    uint8_t id = wi_cursor_u8(&cursor);
    if (!check_section_id(&cursor, id, &last_order))
      return false;
    wi_span payload = wi_cursor_sized(&cursor);
    wi_section *section = WI_ARRAY_PUSH(module, sections);
    if (cursor.failed || !section)
      return cursor.failed ? false : wi_error_memory(error);
    *section = (wi_section){.id = id, .payload = payload};
    if (!read_section_contents(module, section, error))
      return false;
  }
  return true;
}

static bool check_bodies(const wi_module *module, wi_error *error) {
  if (module->function_types_count == module->bodies_count)
    return true;
  return wi_error_set(error, WI_ERROR_MALFORMED, WI_NO_OFFSET, WI_NO_FUNCTION,
                      "%u functions are declared but %u have bodies", module->function_types_count,
                      module->bodies_count);
}

bool wi_module_read_sections(wi_module *module, wi_error *error) {
  return read_all(module, error) && check_bodies(module, error);
}

bool wi_module_read_without_code(wi_module *module, wi_error *error) {
  return read_all(module, error) && (module->bodies_count == 0 || check_bodies(module, error));
}
