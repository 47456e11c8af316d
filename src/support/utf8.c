#include "support/utf8.h"

static bool is_continuation(uint8_t byte) {
  return (byte & 0xC0) == 0x80;
}

size_t wi_utf8_sequence(const uint8_t *bytes, size_t size) {
  if (size == 0)
    return 0;
  uint8_t lead = bytes[0];
  if (lead < 0x80)
    return 1;
  size_t length = lead >= 0xC2 && lead < 0xE0   ? 2
                  : lead >= 0xE0 && lead < 0xF0 ? 3
                  : lead >= 0xF0 && lead < 0xF5 ? 4
                                                : 0;
  if (length == 0 || length > size)
    return 0;
  for (size_t i = 1; i < length; i++)
    if (!is_continuation(bytes[i]))
      return 0;
  bool overlong = (lead == 0xE0 && bytes[1] < 0xA0) || (lead == 0xF0 && bytes[1] < 0x90);
  bool surrogate = lead == 0xED && bytes[1] >= 0xA0;
  bool too_large = lead == 0xF4 && bytes[1] >= 0x90;
  return overlong || surrogate || too_large ? 0 : length;
}

size_t wi_utf8_check(const uint8_t *bytes, size_t size) {
  size_t offset = 0;
  while (offset < size) {
    size_t length = wi_utf8_sequence(bytes + offset, size - offset);
    if (length == 0)
      break;
    offset += length;
  }
  return offset;
}

uint32_t wi_utf8_decode(const char *sequence, size_t size) {
  uint32_t value = (uint8_t)sequence[0];
  value &= size == 1 ? 0x7Fu : 0x7Fu >> size;
  for (size_t i = 1; i < size; i++)
    value = value << 6 | ((uint8_t)sequence[i] & 0x3Fu);
  return value;
}
