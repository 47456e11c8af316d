#include "report/encode/markup.h"

#include <stdbool.h>

/* Labels are UTF-8 without control characters, so that these three are all there is to escape. */
void wi_markup_write(const char *label, size_t char_count, FILE *stream) {
  for (; *label != 0; label++) {
    bool starts_character = (*label & 0xC0) != 0x80;
    if (starts_character && char_count-- == 0)
      break;
    switch (*label) {
    case '&': fputs("&amp;", stream); break;
    case '<': fputs("&lt;", stream); break;
    case '>': fputs("&gt;", stream); break;
    default: fputc(*label, stream); break;
    }
  }
}
