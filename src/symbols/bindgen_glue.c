#define _GNU_SOURCE /* memmem */
#include "symbols/bindgen_glue.h"

#include <stdlib.h>
#include <string.h>

#include "wasm_instrument/wasm_instrument.h" /* WI_NO_FUNCTION */

enum { I32 = 0x7f };

typedef struct reader {
  const wi_module *module;
  const char *at, *end;
  wi_glue *glue;
} reader;

/* The function that is exported by that name; WI_NO_FUNCTION: none. */
static uint32_t exported(const wi_module *module, const char *name, size_t size) {
  for (uint32_t i = 0; i < module->exports_count; i++) {
    wi_span of = module->exports[i].name;
    if (of.size == size && memcmp(module->bytes + of.offset, name, size) == 0)
      return module->exports[i].function;
  }
  return WI_NO_FUNCTION;
}

/* Whether a function takes so many i32 and returns one, or nothing. */
static bool has_type(const wi_module *module, uint32_t function, uint32_t params,
                     uint32_t results) {
  const wi_type *type = wi_module_function_type(module, function);
  if (!type || type->params.size != params || type->results.size != results)
    return false;
  for (uint32_t i = 0; i < params; i++)
    if (module->bytes[type->params.offset + i] != I32)
      return false;
  return results == 0 || module->bytes[type->results.offset] == I32;
}

/* Whether the arguments after a parenthesis end with a number, as an alignment is. */
static bool ends_with_number(const char *at, const char *end) {
  const char *close = memchr(at, ')', (size_t)(end - at)), *last = close;
  while (last && last > at && last[-1] >= '0' && last[-1] <= '9')
    last--;
  return last && last < close && last > at && (last[-1] == ' ' || last[-1] == ',');
}

/* The name of a function in builds that keep it, by how the script uses it: passed on or called. NULL: none of these. */
static const char *name_of(const reader *r, uint32_t function, const char *after) {
  bool is_called = after < r->end && *after == '(';
  bool is_passed = after < r->end && (*after == ',' || *after == ')');
  if (is_called && has_type(r->module, function, 3, 0) && ends_with_number(after + 1, r->end))
    return "__wbindgen_free";
  if (is_passed && has_type(r->module, function, 2, 1))
    return "__wbindgen_malloc";
  if (is_passed && has_type(r->module, function, 4, 1))
    return "__wbindgen_realloc";
  return NULL;
}

/* Adds a name unless the function has one. Returns false if out of memory. */
static bool add(wi_glue *glue, uint32_t function, const char *text) {
  for (uint32_t i = 0; i < glue->names_count; i++)
    if (glue->names[i].function == function)
      return true;
  return wi_glue_add(glue, function, text, strlen(text));
}

static int compare_functions(const void *left, const void *right) {
  const wi_glue_name *a = left, *b = right;
  return (a->function > b->function) - (a->function < b->function);
}

static bool is_digit(char c) {
  return (c >= '0' && c <= '9') || c == '_';
}

bool wi_bindgen_glue_read(wi_glue *glue, const wi_module *module, const char *text, size_t size) {
  reader r = {module, text, text + size, glue};
  bool done = true;
  while (done && r.at < r.end &&
         (r.at = memmem(r.at, (size_t)(r.end - r.at), WI_BINDGEN_NUMBERED,
                        sizeof WI_BINDGEN_NUMBERED - 1)) != NULL) {
    const char *start = r.at;
    for (r.at += sizeof WI_BINDGEN_NUMBERED - 1; r.at < r.end && is_digit(*r.at);)
      r.at++;
    uint32_t function = exported(module, start, (size_t)(r.at - start));
    const char *name = start > text && start[-1] == '.' && function != WI_NO_FUNCTION
                           ? name_of(&r, function, r.at)
                           : NULL;
    done = !name || add(glue, function, name);
  }
  if (glue->names_count > 1)
    qsort(glue->names, glue->names_count, sizeof *glue->names, compare_functions);
  return done;
}
