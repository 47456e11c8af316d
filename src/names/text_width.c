#include "names/text_width.h"

#include <stddef.h>
#include <string.h>

#include "names/code_point_width.h"
#include "support/utf8.h"

const char *wi_text_next(const char *text, uint32_t *width) {
  size_t size = wi_utf8_sequence((const uint8_t *)text, strnlen(text, 4));
  if (size == 0) {
    *width = 1;
    return text + 1;
  }
  *width = wi_code_point_width(wi_utf8_decode(text, size));
  return text + size;
}

uint32_t wi_text_width(const char *text) {
  uint32_t sum = 0;
  while (*text != 0) {
    uint32_t width;
    text = wi_text_next(text, &width);
    sum += width;
  }
  return sum;
}
