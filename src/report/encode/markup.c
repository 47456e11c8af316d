#include "report/encode/markup.h"

#include <string.h>

/* Labels are UTF-8 without control characters, so only these need escaping. */
void wi_markup_write_attribute(const char *label, FILE *stream) {
  for (; *label != 0; label++) {
    switch (*label) {
    case '&': fputs("&amp;", stream); break;
    case '<': fputs("&lt;", stream); break;
    case '>': fputs("&gt;", stream); break;
    case '"': fputs("&quot;", stream); break;
    default: fputc(*label, stream); break;
    }
  }
}

void wi_markup_write(const char *label, FILE *stream) {
  for (; *label != 0; label++) {
    const char character[] = {*label, 0};
    if (*label == '"')
      fputc('"', stream);
    else
      wi_markup_write_attribute(character, stream);
  }
}

void wi_markdown_write(const char *text, FILE *stream) {
  for (; *text != 0; text++) {
    if (strchr("\\`*_<>[]|#~", *text))
      fputc('\\', stream);
    fputc(*text, stream);
  }
}
