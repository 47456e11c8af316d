#include "report/encode/markup.h"

#include <string.h>

/* Labels are UTF-8 without control characters, so only these need escaping. */
static void write_escaped(const char *label, const char *quote, FILE *stream) {
  for (; *label != 0; label++) {
    switch (*label) {
    case '&': fputs("&amp;", stream); break;
    case '<': fputs("&lt;", stream); break;
    case '>': fputs("&gt;", stream); break;
    case '"': fputs(quote, stream); break;
    default: fputc(*label, stream); break;
    }
  }
}

void wi_markup_write(const char *label, FILE *stream) {
  write_escaped(label, "\"", stream);
}

void wi_markup_write_attribute(const char *label, FILE *stream) {
  write_escaped(label, "&quot;", stream);
}

void wi_markdown_write(const char *text, FILE *stream) {
  for (; *text != 0; text++) {
    if (strchr("\\`*_<>[]|#~", *text))
      fputc('\\', stream);
    fputc(*text, stream);
  }
}
