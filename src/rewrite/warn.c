/* Formats warnings. */
#include "rewrite/warn.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "support/clean.h"

void wi_warn(const wi_options *options, const char *format, ...) {
  if (!options->warn)
    return;
  char message[512], clean[sizeof message * 2];
  va_list arguments;
  va_start(arguments, format);
  vsnprintf(message, sizeof message, format, arguments);
  va_end(arguments);
  wi_text_clean(message, strlen(message), clean, sizeof clean);
  options->warn(options->user, clean);
}
