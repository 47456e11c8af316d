#include "module/exports.h"

typedef struct any_export {
  wi_span name;
  uint8_t kind;
  uint32_t index;
  uint32_t index_offset; /* offset of the encoded index in the module */
} any_export;

static const wi_section *export_section(const wi_module *module) {
  for (uint32_t i = 0; i < module->sections_count; i++)
    if (module->sections[i].id == WI_SECTION_EXPORT)
      return &module->sections[i];
  return NULL;
}

/* Returns false at the end of the section or if it cannot be read. */
static bool next_export(wi_cursor *cursor, uint32_t *left, any_export *item) {
  if (*left == 0 || cursor->failed)
    return false;
  --*left;
  item->name = wi_cursor_name(cursor);
  item->kind = wi_cursor_u8(cursor);
  item->index_offset = cursor->offset;
  item->index = wi_cursor_u32(cursor);
  return !cursor->failed;
}

bool wi_module_find_any_export(const wi_module *module, wi_export_visitor *visit, void *context) {
  const wi_section *section = export_section(module);
  any_export item;
  wi_error ignored;
  wi_error_reset(&ignored);
  if (!section)
    return false;
  wi_cursor cursor = wi_cursor_at(module->bytes, section->payload, &ignored);
  uint32_t left = wi_cursor_count(&cursor, 3, "exports");
  while (next_export(&cursor, &left, &item))
    if (visit(module, item.name, item.kind, item.index, context))
      return true;
  return false;
}

/* ---- Checking them ---------------------------------------------------------------- */

static const struct {
  const char *name;
  wi_section_id section;
} kinds[WI_EXTERN_KIND_COUNT] = {
    [WI_EXTERN_FUNCTION] = {"function", WI_SECTION_FUNCTION},
    [WI_EXTERN_TABLE] = {"table", WI_SECTION_TABLE},
    [WI_EXTERN_MEMORY] = {"memory", WI_SECTION_MEMORY},
    [WI_EXTERN_GLOBAL] = {"global", WI_SECTION_GLOBAL},
    [WI_EXTERN_TAG] = {"tag", WI_SECTION_TAG},
};

bool wi_module_check_exports(const wi_module *module, wi_error *error) {
  const wi_section *section = export_section(module);
  uint32_t counts[WI_EXTERN_KIND_COUNT];
  any_export item;
  if (!section)
    return true;
  for (int kind = 0; kind < WI_EXTERN_KIND_COUNT; kind++)
    counts[kind] = wi_module_index_count(module, (wi_extern_kind)kind, kinds[kind].section);
  wi_cursor cursor = wi_cursor_at(module->bytes, section->payload, error);
  uint32_t left = wi_cursor_count(&cursor, 3, "exports");
  while (next_export(&cursor, &left, &item))
    if (item.kind < WI_EXTERN_KIND_COUNT && item.index >= counts[item.kind])
      wi_cursor_fail(&cursor, WI_ERROR_MALFORMED, item.index_offset, "%s index %u is out of range",
                     kinds[item.kind].name, item.index);
  return !cursor.failed;
}
