#include "cli/perf/record/invoke.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "module/read.h"

/* The number types with their codes in the binary format. */
static const struct number_type {
  uint8_t code;
  const char *name;
  bool is_float;
} number_types[] = {
    {0x7F, "i32", false}, {0x7E, "i64", false}, {0x7D, "f32", true}, {0x7C, "f64", true}};

static const struct number_type *type_of(uint8_t code) {
  for (size_t i = 0; i < sizeof number_types / sizeof *number_types; i++)
    if (number_types[i].code == code)
      return &number_types[i];
  return NULL;
}

static bool fits(const struct number_type *type, const char *text) {
  char *end;
  errno = 0;
  if (*text == '\0' ||
      text[strspn(text, type->is_float ? "0123456789+-.eE" : "0123456789-")] != '\0')
    return false;
  if (type->is_float) {
    (void)strtod(text, &end);
    return *end == '\0';
  }
  long long value = strtoll(text, &end, 10);
  bool is_wide = type->code == 0x7E;
  return *end == '\0' && errno == 0 && (is_wide || (value >= INT32_MIN && value <= UINT32_MAX));
}

static bool take_argument(const cli_request *request, uint8_t code, size_t i, cli_list *arguments) {
  const struct number_type *type = type_of(code);
  const char *text = request->args[i];
  if (type && fits(type, text)) {
    cli_list_add(arguments, cli_text("%s:%s", type->name, text));
    return true;
  }
  return cli_fail(request->failure, request->module_path,
                  "--invoke %s: argument %zu, '%s', is not a valid %s", request->invoke, i + 1,
                  text, type ? type->name : "number; only numbers are supported");
}

/* Puts the names of the first exported functions into `text`. */
static void list_exports(const wi_module *module, char *text, size_t size) {
  size_t used = 0;
  text[0] = '\0';
  for (uint32_t i = 0; i < module->exports_count && i < 8 && used < size; i++) {
    wi_span name = module->exports[i].name;
    used += (size_t)snprintf(text + used, size - used, "%s%.*s", i > 0 ? ", " : "", (int)name.size,
                             (const char *)module->bytes + name.offset);
  }
}

static bool take_arguments(const cli_request *request, const wi_module *module,
                           cli_list *arguments) {
  char exports[256];
  uint32_t function = wi_module_find_export(module, request->invoke);
  const wi_type *type = wi_module_function_type(module, function);
  if (!type) {
    list_exports(module, exports, sizeof exports);
    return cli_fail(request->failure, request->module_path,
                    "it exports no function '%s'; its functions are: %s", request->invoke, exports);
  }
  if (type->param_count != request->arg_count)
    return cli_fail(request->failure, request->module_path,
                    "--invoke %s: it takes %u arguments, not %zu", request->invoke,
                    type->param_count, request->arg_count);
  bool are_numbers =
      type->params.size == type->param_count; /* other types may take several bytes */
  for (size_t i = 0; i < request->arg_count; i++)
    if (!take_argument(request, are_numbers ? module->bytes[type->params.offset + i] : 0, i,
                       arguments))
      return false;
  return true;
}

bool cli_invoke_prepare(const cli_request *request, const uint8_t *bytes, size_t size,
                        cli_list *arguments) {
  wi_module module;
  wi_error error;
  wi_error_reset(&error);
  if (!wi_module_read(&module, bytes, size, &error))
    return cli_fail_module(request->failure, request->module_path, &error);
  bool done = take_arguments(request, &module, arguments);
  wi_module_clear(&module);
  return done;
}

bool cli_exports_start(const uint8_t *bytes, size_t size) {
  wi_module module;
  wi_error error;
  if (!wi_module_read(&module, bytes, size, &error))
    return false;
  bool found = wi_module_find_export(&module, "_start") != WI_NO_FUNCTION;
  wi_module_clear(&module);
  return found;
}
