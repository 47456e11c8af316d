#include "module/identity.h"

#include <inttypes.h>
#include <stdio.h>

#define XXH_INLINE_ALL
#include <xxhash.h>

void wi_module_identity(const wi_module *module, char text[WI_IDENTITY_SIZE]) {
  wi_span code = {0};
  for (uint32_t i = 0; i < module->sections_count; ++i)
    if (module->sections[i].id == WI_SECTION_CODE)
      code = module->sections[i].payload;
  snprintf(text, WI_IDENTITY_SIZE, "%016" PRIx64,
           (uint64_t)XXH3_64bits(module->bytes + code.offset, code.size));
}
