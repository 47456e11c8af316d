#include "cli/selection_options.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli/file.h"

static wi_option_result fail(wi_error *error, wi_option_result result, const char *format,
                             const char *value) {
  *error = (wi_error){.code = WI_ERROR_PATTERN, .offset = WI_NO_OFFSET, .function = WI_NO_FUNCTION};
  snprintf(error->message, sizeof error->message, format, value);
  return result;
}

static wi_option_result add_whitelist(wi_selection *selection, const char *path, wi_error *error) {
  uint8_t *text;
  size_t size;
  if (!wi_file_read(path, &text, &size))
    return fail(error, WI_OPTION_FAILED, "%s", strerror(errno));
  bool added = wi_selection_add_list(selection, (const char *)text, size, error);
  free(text);
  return added ? WI_OPTION_TAKEN : WI_OPTION_FAILED;
}

static wi_option_result set_number(const char *option, const char *value, uint32_t *number,
                                   wi_error *error) {
  char *end;
  errno = 0;
  unsigned long parsed = strtoul(value, &end, 10);
  if (value[0] >= '0' && value[0] <= '9' && *end == '\0' && errno == 0 && parsed <= UINT32_MAX) {
    *number = (uint32_t)parsed;
    return WI_OPTION_TAKEN;
  }
  char format[64];
  snprintf(format, sizeof format, "%s wants a number, not '%%.80s'", option);
  return fail(error, WI_OPTION_USAGE, format, value);
}

static wi_option_result set_clock(const char *value, wi_options *options, wi_error *error) {
  if (wi_clock_find(value, &options->clock))
    return WI_OPTION_TAKEN;
  return fail(error, WI_OPTION_USAGE,
              "--clock wants wall, instructions, hybrid or none, not '%.80s'", value);
}

static wi_option_result add_pattern(wi_selection *selection, const char *pattern, bool exclude,
                                    wi_error *error) {
  return wi_selection_add(selection, pattern, exclude, error) ? WI_OPTION_TAKEN : WI_OPTION_USAGE;
}

wi_option_result wi_selection_option(int option, const char *value, wi_options *options,
                                     wi_selection **selection, const char **path, wi_error *error) {
  *path = NULL;
  if (option == WI_OPTION_MIN_INSTRUCTIONS)
    return set_number("--min-instructions", value, &options->min_instructions, error);
  if (option == WI_OPTION_SKIP_LEAVES)
    return set_number("--skip-leaves", value, &options->skip_leaves, error);
  if (option == WI_OPTION_HOST_CALLS) {
    options->host_calls = true;
    return WI_OPTION_TAKEN;
  }
  if (option == WI_OPTION_INLINE) {
    options->inline_hooks = true;
    if (options->clock == WI_CLOCK_WALL)
      options->clock = WI_CLOCK_HYBRID;
    return WI_OPTION_TAKEN;
  }
  if (option == WI_OPTION_CLOCK)
    return set_clock(value, options, error);
  if (option != 'w' && option != WI_OPTION_ONLY && option != WI_OPTION_EXCLUDE)
    return WI_OPTION_UNKNOWN;
  if (!*selection)
    *selection = wi_selection_new();
  if (!*selection)
    return fail(error, WI_OPTION_FAILED, "%s", "out of memory");
  options->selection = *selection;
  if (option != 'w')
    return add_pattern(*selection, value, option == WI_OPTION_EXCLUDE, error);
  *path = value;
  return add_whitelist(*selection, value, error);
}
