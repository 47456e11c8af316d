#include "names/mangling_markers.h"

#include <string.h>

#define COMMA ", "

/* Returns `used` without the comma before an END or INNER. */
static size_t without_comma(size_t used) {
  return used < strlen(COMMA) ? 0 : used - strlen(COMMA);
}

size_t wi_mangling_markers_resolve(char *text, size_t size) {
  size_t used = 0;
  for (size_t i = 0; i < size; i++)
    switch (text[i]) {
    case WI_MARKER_TYPED: i += strlen("(1" COMMA); break;
    case WI_MARKER_SCOPE: i += strlen("("); break;
    case WI_MARKER_INNER:
      used = without_comma(used);
      memcpy(text + used, "::", 2);
      used += 2;
      i += strlen(COMMA);
      break;
    case WI_MARKER_END:
      used = without_comma(used);
      i += strlen(")");
      break;
    default: text[used++] = text[i];
    }
  return used;
}
