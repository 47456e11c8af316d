#include "rewrite/warn.h"

#include <stdarg.h>
#include <stdio.h>

void wi_warn(const wi_options *options, const char *format, ...) {
  if (!options->warn)
    return;
  char message[512];
  va_list arguments;
  va_start(arguments, format);
  vsnprintf(message, sizeof message, format, arguments);
  va_end(arguments);
  options->warn(options->user, message);
}
