#include "support/error.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "support/clean.h"

const char *wi_version(void) {
  return WI_VERSION;
}

void wi_error_reset(wi_error *error) {
  *error = (wi_error){.offset = WI_NO_OFFSET, .function = WI_NO_FUNCTION};
}

bool wi_error_set(wi_error *error, wi_error_code code, uint64_t offset, uint32_t function,
                  const char *format, ...) {
  if (error->code != WI_ERROR_NONE)
    return false;
  error->code = code;
  error->offset = offset;
  error->function = function;
  error->function_name[0] = '\0';
  va_list arguments;
  va_start(arguments, format);
  vsnprintf(error->message, sizeof error->message, format, arguments);
  va_end(arguments);
  return false;
}

bool wi_error_memory(wi_error *error) {
  return wi_error_set(error, WI_ERROR_OUT_OF_MEMORY, WI_NO_OFFSET, WI_NO_FUNCTION, "out of memory");
}

void wi_error_format(const wi_error *error, char *text, size_t size) {
  char place[224] = "";
  char function[sizeof error->function_name + 32] = "";
  char all[sizeof place + sizeof function + sizeof error->message];
  if (error->function != WI_NO_FUNCTION && error->function_name[0])
    snprintf(function, sizeof function, "function %" PRIu32 " (%s): ", error->function,
             error->function_name);
  else if (error->function != WI_NO_FUNCTION)
    snprintf(function, sizeof function, "function %" PRIu32 ": ", error->function);
  if (error->offset != WI_NO_OFFSET)
    snprintf(place, sizeof place, "offset 0x%" PRIx64 "%s", error->offset,
             function[0] ? ", " : ": ");
  snprintf(all, sizeof all, "%s%s%s", place, function, error->message);
  wi_text_clean(all, strlen(all), text, size);
}
