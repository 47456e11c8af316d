#include "module/module.h"

#include <stdlib.h>
#include <string.h>

#include "module/value_types.h"

unsigned wi_section_order(unsigned id) {
  static const uint8_t order[WI_SECTION_ID_COUNT] = {
      [WI_SECTION_TYPE] = 1,     [WI_SECTION_IMPORT] = 2,      [WI_SECTION_FUNCTION] = 3,
      [WI_SECTION_TABLE] = 4,    [WI_SECTION_MEMORY] = 5,      [WI_SECTION_TAG] = 6,
      [WI_SECTION_GLOBAL] = 7,   [WI_SECTION_EXPORT] = 8,      [WI_SECTION_START] = 9,
      [WI_SECTION_ELEMENT] = 10, [WI_SECTION_DATA_COUNT] = 11, [WI_SECTION_CODE] = 12,
      [WI_SECTION_DATA] = 13,
  };
  return order[id];
}

void wi_module_clear(wi_module *module) {
  free(module->sections);
  free(module->types);
  free(module->imports);
  free(module->imported_memories);
  free(module->imported_tables);
  free(module->function_types);
  free(module->bodies);
  free(module->exports);
  *module = (wi_module){0};
}

uint32_t wi_module_type_index(const wi_module *module, uint32_t index) {
  return index < module->imports_count ? module->imports[index].type_index
                                       : module->function_types[index - module->imports_count];
}

const wi_type *wi_module_function_type(const wi_module *module, uint32_t index) {
  if (index >= wi_module_function_count(module))
    return NULL;
  uint32_t type_index = wi_module_type_index(module, index);
  if (type_index >= module->types_count || !module->types[type_index].is_function)
    return NULL;
  return &module->types[type_index];
}

bool wi_module_span_begins(const wi_module *module, wi_span span, const char *prefix) {
  size_t size = strlen(prefix);
  return span.size >= size && memcmp(module->bytes + span.offset, prefix, size) == 0;
}

bool wi_module_span_equals(const wi_module *module, wi_span span, const char *text) {
  return span.size == strlen(text) && wi_module_span_begins(module, span, text);
}

uint32_t wi_module_find_export(const wi_module *module, const char *name) {
  for (uint32_t i = 0; i < module->exports_count; i++)
    if (wi_module_span_equals(module, module->exports[i].name, name))
      return module->exports[i].function;
  return WI_NO_FUNCTION;
}

const wi_section *wi_module_custom_section(const wi_module *module, const char *name) {
  for (uint32_t i = 0; i < module->sections_count; i++)
    if (module->sections[i].id == WI_SECTION_CUSTOM &&
        wi_module_span_equals(module, module->sections[i].name, name))
      return &module->sections[i];
  return NULL;
}

uint32_t wi_module_index_count(const wi_module *module, wi_extern_kind kind, wi_section_id id) {
  uint32_t count = module->import_counts[kind];
  for (uint32_t i = 0; i < module->sections_count; i++) {
    if (module->sections[i].id != id)
      continue;
    wi_error ignored;
    wi_error_reset(&ignored);
    wi_cursor cursor = wi_cursor_at(module->bytes, module->sections[i].payload, &ignored);
    count += wi_cursor_u32(&cursor);
  }
  return count;
}

bool wi_module_own_memory(const wi_module *module, uint32_t number, wi_limits *limits) {
  for (uint32_t i = 0; i < module->sections_count; i++) {
    if (module->sections[i].id != WI_SECTION_MEMORY)
      continue;
    wi_error ignored;
    wi_error_reset(&ignored);
    wi_cursor cursor = wi_cursor_at(module->bytes, module->sections[i].payload, &ignored);
    uint32_t count = wi_cursor_count(&cursor, 2, "memories");
    for (uint32_t read = 0; read <= number && read < count; read++)
      *limits = wi_read_limits(&cursor, WI_LIMITS_OF_MEMORY);
    return number < count && !cursor.failed;
  }
  return false;
}

bool wi_module_memory_is_64(const wi_module *module, uint32_t index) {
  wi_limits limits;
  if (index < module->imported_memories_count)
    return (module->imported_memories[index] & WI_LIMITS_64_BITS) != 0;
  return wi_module_own_memory(module, index - module->imported_memories_count, &limits) &&
         (limits.flags & WI_LIMITS_64_BITS) != 0;
}

/* ---- Sections by their headers -------------------------------------------------- */

wi_cursor wi_sections_begin(const uint8_t *bytes, size_t size, wi_error *error) {
  uint32_t all = size <= UINT32_MAX ? (uint32_t)size : 0;
  wi_cursor sections = wi_cursor_at(bytes, (wi_span){0, all}, error);
  if (all >= WI_MODULE_HEADER_SIZE && memcmp(bytes, "\0asm\1\0\0\0", WI_MODULE_HEADER_SIZE) == 0)
    wi_cursor_skip(&sections, WI_MODULE_HEADER_SIZE);
  else
    wi_cursor_fail(&sections, WI_ERROR_MALFORMED, 0, "not a WebAssembly module");
  return sections;
}

bool wi_sections_next(wi_cursor *sections, wi_section *section) {
  if (wi_cursor_left(sections) == 0)
    return false;
  *section = (wi_section){.id = wi_cursor_u8(sections)};
  section->payload = wi_cursor_sized(sections);
  if (section->id == WI_SECTION_CUSTOM && !sections->failed) {
    wi_cursor inside = wi_cursor_at(sections->bytes, section->payload, sections->error);
    section->name = wi_cursor_sized(&inside);
    sections->failed |= inside.failed;
  }
  return !sections->failed;
}

bool wi_section_begins(const uint8_t *bytes, const wi_section *section, const char *prefix) {
  size_t size = strlen(prefix);
  return section->id == WI_SECTION_CUSTOM && section->name.size >= size &&
         memcmp(bytes + section->name.offset, prefix, size) == 0;
}

bool wi_section_is(const uint8_t *bytes, const wi_section *section, const char *name) {
  return section->name.size == strlen(name) && wi_section_begins(bytes, section, name);
}

const char *wi_section_url(const uint8_t *bytes, const wi_section *section, size_t *size) {
  wi_error ignored;
  wi_error_reset(&ignored);
  wi_cursor cursor = wi_cursor_at(bytes, wi_section_contents(section), &ignored);
  wi_span url = wi_cursor_sized(&cursor);
  *size = url.size;
  return cursor.failed ? NULL : (const char *)bytes + url.offset;
}

/* Reads only section headers, so it is fast even for large modules. */
const char *wi_module_url(const uint8_t *bytes, size_t bytes_size, const char *name, size_t *size) {
  wi_error ignored;
  wi_error_reset(&ignored);
  wi_cursor cursor = wi_sections_begin(bytes, bytes_size, &ignored);
  for (wi_section section; wi_sections_next(&cursor, &section);)
    if (wi_section_is(bytes, &section, name))
      return wi_section_url(bytes, &section, size);
  return NULL;
}
