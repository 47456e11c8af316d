/* The library's entry points: wi_instrument and wi_list_functions, for modules and components. */
#include "hooks/instrument.h"
#include "component/container.h"
#include "component/rewrite.h"
#include "hooks/debug_file.h"
#include "rewrite/warn.h"

static const wi_options default_options = {0};

static bool instrument(const uint8_t *input, size_t size, const wi_options *options,
                       wi_output *output, wi_error *error) {
  if (options->debug_file)
    return wi_debug_file_instrument(input, size, options, output, error);
  return wi_component_is(input, size)
             ? wi_component_instrument(input, size, options, output, error)
             : wi_module_instrument(input, size, options, NULL, output, error);
}

bool wi_instrument(const uint8_t *input, size_t size, const wi_options *options, wi_output *output,
                   wi_error *error) {
  wi_error_reset(error);
  if (!options)
    options = &default_options;
  if (!instrument(input, size, options, output, error))
    return false;
  bool is_all = !options->no_file; /* otherwise this may be one of several modules of a program */
  if (options->guest != WI_GUEST_OFF && !output->has_guest && is_all)
    wi_warn(options, "no guest found: the module is not CPython 3.13 or newer");
  if (options->to_stderr && !output->writes_profile && !wi_component_is(input, size))
    wi_warn(
        options,
        "--stderr has no effect: the module is not a WASI command, as it does not export _start or "
        "does not import fd_write. Call its export wasm_perf_profile to read the profile");
  return true;
}

bool wi_list_functions(const uint8_t *input, size_t size, const wi_options *options,
                       void (*visit)(void *user, const wi_function_info *info), void *user,
                       wi_error *error) {
  wi_error_reset(error);
  if (!options)
    options = &default_options;
  if (options->debug_file)
    return wi_debug_file_list_functions(input, size, options, visit, user, error);
  return wi_component_is(input, size)
             ? wi_component_list_functions(input, size, options, visit, user, error)
             : wi_module_list_functions(input, size, options, visit, user, error);
}
