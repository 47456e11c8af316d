#include "support/clean.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "support/utf8.h"

bool wi_character_is_unsafe(uint32_t code_point) {
  static const struct {
    uint32_t first, last;
  } ranges[] = {
#define X(first, last) {first, last},
#include "support/unsafe_characters.def"
#undef X
  };
  if (code_point >= 0x20 && code_point < 0x7F)
    return false;
  for (size_t i = 0; i < sizeof ranges / sizeof *ranges && ranges[i].first <= code_point; i++)
    if (code_point <= ranges[i].last)
      return true;
  return false;
}

/*
 * Writes the character at `text` in its safe form. Returns that form's size; *taken is its size in
 * `text`.
 */
static size_t show(const char *text, size_t size, char shown[16], size_t *taken) {
  *taken = wi_utf8_sequence((const uint8_t *)text, size);
  if (*taken == 0) {
    *taken = 1;
    return (size_t)snprintf(shown, 16, "\\x%02x", (uint8_t)*text);
  }
  uint32_t code_point = wi_utf8_decode(text, *taken);
  if (wi_character_is_unsafe(code_point))
    return (size_t)snprintf(shown, 16, "\\u{%" PRIx32 "}", code_point);
  memcpy(shown, text, *taken);
  return *taken;
}

size_t wi_text_clean(const char *text, size_t size, char *out, size_t capacity) {
  char shown[16];
  size_t total = 0, kept = 0;
  for (size_t taken; size > 0; text += taken, size -= taken) {
    size_t shown_size = show(text, size, shown, &taken);
    bool fits = kept == total && capacity > 0 && shown_size < capacity - kept;
    if (fits) {
      memcpy(out + kept, shown, shown_size);
      kept += shown_size;
    }
    total += shown_size;
  }
  if (capacity > 0)
    out[kept] = '\0';
  return total;
}
