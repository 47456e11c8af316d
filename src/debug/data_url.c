#include "debug/data_url.h"

#include <stdlib.h>

#include "support/base64.h"

static bool decode_percents(const uint8_t *text, size_t size, wi_buffer *out) {
  for (size_t i = 0; i < size; i++) {
    char digits[3] = {0}, *end;
    if (text[i] != '%') {
      wi_buffer_u8(out, text[i]);
      continue;
    }
    if (size - i < 3)
      return false;
    memcpy(digits, text + i + 1, 2);
    unsigned long value = strtoul(digits, &end, 16);
    if (end != digits + 2)
      return false;
    wi_buffer_u8(out, (uint8_t)value);
    i += 2;
  }
  return true;
}

bool wi_data_url_decode(const uint8_t *url, uint32_t size, wi_buffer *out, bool *is_base64,
                        uint32_t *head_size) {
  static const char mark[] = ";base64";
  const uint8_t *comma = memchr(url, ',', size);
  if (!comma)
    return false;
  size_t mark_size = sizeof mark - 1;
  *head_size = (uint32_t)(comma - url) + 1;
  *is_base64 = *head_size > mark_size && memcmp(comma - mark_size, mark, mark_size) == 0;
  const uint8_t *data = comma + 1;
  return *is_base64 ? wi_base64_decode(data, size - *head_size, out)
                    : decode_percents(data, size - *head_size, out);
}
