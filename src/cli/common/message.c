#define _GNU_SOURCE /* vasprintf */

#include "cli/common/message.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "support/clean.h"

void cli_message(const char *format, ...) {
  va_list arguments;
  va_start(arguments, format);
  char *text;
  if (vasprintf(&text, format, arguments) < 0)
    text = NULL;
  va_end(arguments);
  size_t size = text ? wi_text_clean(text, strlen(text), NULL, 0) + 1 : 0;
  char *clean = text ? malloc(size) : NULL;
  if (clean)
    wi_text_clean(text, strlen(text), clean, size);
  fprintf(stderr, "%s\n", clean ? clean : "memory ran out");
  free(clean);
  free(text);
}
