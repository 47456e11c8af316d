#include "hooks/follow/value_record.h"

#include <string.h>

#include "runtime/embedded/embed.h"

void wi_put_value(wi_buffer *out, const char *name, const char *unit) {
  wi_buffer_word(out, (uint32_t)strlen(name));
  wi_buffer_word(out, (uint32_t)strlen(unit));
  wi_buffer_append(out, name, strlen(name));
  wi_buffer_append(out, unit, strlen(unit));
  wi_buffer_align(out, EMBED_ALIGNMENT);
}
