#include "support/base64.h"

const char wi_base64_digits[65] =
    "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";

int wi_base64_value(uint8_t digit) {
  if (digit >= 'A' && digit <= 'Z')
    return digit - 'A';
  if (digit >= 'a' && digit <= 'z')
    return digit - 'a' + 26;
  if (digit >= '0' && digit <= '9')
    return digit - '0' + 52;
  return digit == '+' ? 62 : digit == '/' ? 63 : -1;
}

void wi_base64_encode(const uint8_t *bytes, size_t size, wi_buffer *out) {
  for (size_t i = 0; i < size; i += 3) {
    size_t count = size - i < 3 ? size - i : 3;
    uint32_t bits = 0;
    for (size_t k = 0; k < 3; k++)
      bits = bits << 8 | (k < count ? bytes[i + k] : 0u);
    for (size_t k = 0; k < 4; k++)
      wi_buffer_u8(out, k <= count ? (uint8_t)wi_base64_digits[bits >> (18 - 6 * k) & 63] : '=');
  }
}

bool wi_base64_decode(const uint8_t *text, size_t size, wi_buffer *out) {
  uint32_t bits = 0;
  unsigned count = 0;
  while (size > 0 && text[size - 1] == '=')
    size--;
  for (size_t i = 0; i < size; i++) {
    int value = wi_base64_value(text[i]);
    if (value < 0)
      return false;
    bits = bits << 6 | (uint32_t)value;
    count += 6;
    if (count >= 8) {
      count -= 8;
      wi_buffer_u8(out, (uint8_t)(bits >> count));
    }
  }
  return !out->failed;
}
