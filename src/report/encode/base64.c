#include "report/encode/base64.h"

#include <string.h>

void wi_base64_init(wi_base64 *base64, FILE *stream) {
  *base64 = (wi_base64){.stream = stream};
}

/* Writes three bytes as four digits, the last `padding` of which are '='. */
static void write_group(wi_base64 *base64, unsigned padding) {
  static const char digits[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  const uint8_t *rest = base64->rest;
  uint32_t group = (uint32_t)rest[0] << 16 | (uint32_t)rest[1] << 8 | rest[2];
  char text[4];
  for (unsigned i = 0; i < 4; i++)
    text[i] = i < 4 - padding ? digits[group >> (18 - 6 * i) & 63] : '=';
  fwrite(text, 1, sizeof text, base64->stream);
  base64->rest_size = 0;
}

void wi_base64_write(wi_base64 *base64, const uint8_t *bytes, size_t size) {
  for (size_t i = 0; i < size; i++) {
    base64->rest[base64->rest_size++] = bytes[i];
    if (base64->rest_size == 3)
      write_group(base64, 0);
  }
}

void wi_base64_end(wi_base64 *base64) {
  unsigned size = base64->rest_size;
  if (size == 0)
    return;
  memset(base64->rest + size, 0, 3 - size);
  write_group(base64, 3 - size);
}
