#include "module/exports.h"

bool wi_module_find_any_export(const wi_module *module, wi_export_visitor *visit, void *context) {
  wi_error ignored;
  wi_error_reset(&ignored);
  for (uint32_t i = 0; i < module->sections_count; ++i) {
    if (module->sections[i].id != WI_SECTION_EXPORT)
      continue;
    wi_cursor cursor = wi_cursor_at(module->bytes, module->sections[i].payload, &ignored);
    for (uint32_t n = wi_cursor_count(&cursor, 3, "exports"); n > 0 && !cursor.failed; --n) {
      wi_span name = wi_cursor_name(&cursor);
      uint8_t kind = wi_cursor_u8(&cursor);
      uint32_t index = wi_cursor_u32(&cursor);
      if (!cursor.failed && visit(module, name, kind, index, context))
        return true;
    }
  }
  return false;
}
