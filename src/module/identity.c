#include "module/identity.h"

#include <inttypes.h>
#include <stdio.h>

#define XXH_INLINE_ALL
#include <xxhash.h>

void wi_module_identity(const wi_module *module, char text[WI_IDENTITY_SIZE]) {
  wi_span code = {0};
  for (uint32_t i = 0; i < module->sections_count; i++)
    if (module->sections[i].id == WI_SECTION_CODE)
      code = module->sections[i].payload;
  snprintf(text, WI_IDENTITY_SIZE, "%016" PRIx64,
           (uint64_t)XXH3_64bits(module->bytes + code.offset, code.size));
}

bool wi_module_build_id(const wi_module *module, char text[WI_BUILD_ID_SIZE]) {
  text[0] = '\0';
  const wi_section *section = wi_module_custom_section(module, "build_id");
  if (!section)
    return false;
  wi_error ignored;
  wi_error_reset(&ignored);
  wi_cursor cursor = wi_cursor_at(module->bytes, wi_section_contents(section), &ignored);
  wi_span id = wi_cursor_sized(&cursor);
  if (cursor.failed || id.size == 0 || 2 * id.size >= WI_BUILD_ID_SIZE)
    return false;
  for (uint32_t i = 0; i < id.size; i++)
    snprintf(text + 2 * i, 3, "%02x", module->bytes[id.offset + i]);
  return true;
}
