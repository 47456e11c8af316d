#define _GNU_SOURCE /* memmem */
#include "symbols/bindgen_glue.h"

#include <stdlib.h>
#include <string.h>

#include "support/array.h"
#include "support/search.h"

enum { I32 = 0x7f };

/* A place in the script where it uses a numbered export. */
typedef struct use {
  const char *name; /* the export's */
  size_t size;
  bool is_call; /* whose last argument is a number, as an alignment is; else it is passed on */
} use;

typedef struct reader {
  const char *start, *at, *end;
  WI_ARRAY(use, uses);
} reader;

/* ---- The script ---------------------------------------------------------------- */

/* Whether the arguments after a parenthesis end with a number. */
static bool ends_with_number(const char *at, const char *end) {
  enum { LONGEST = 256 }; /* bytes of arguments */
  size_t size = end - at < LONGEST ? (size_t)(end - at) : LONGEST;
  const char *close = memchr(at, ')', size), *last = close;
  while (last && last > at && last[-1] >= '0' && last[-1] <= '9')
    last--;
  return last && last < close && last > at && (last[-1] == ' ' || last[-1] == ',');
}

static bool is_digit(char c) {
  return (c >= '0' && c <= '9') || c == '_';
}

/* Keeps a use that ends before r->at. Returns false if out of memory. */
static bool add_use(reader *r, const char *name) {
  char after = r->at < r->end ? *r->at : 0;
  bool is_call = after == '(' && ends_with_number(r->at + 1, r->end);
  if (name == r->start || name[-1] != '.' || !(is_call || after == ',' || after == ')'))
    return true;
  use *added = WI_ARRAY_PUSH(r, uses);
  if (added)
    *added = (use){name, (size_t)(r->at - name), is_call};
  return added != NULL;
}

static bool find_uses(reader *r) {
  const char *name;
  while (r->at < r->end && (name = memmem(r->at, (size_t)(r->end - r->at), WI_BINDGEN_NUMBERED,
                                          sizeof WI_BINDGEN_NUMBERED - 1)) != NULL) {
    for (r->at = name + sizeof WI_BINDGEN_NUMBERED - 1; r->at < r->end && is_digit(*r->at);)
      r->at++;
    if (!add_use(r, name))
      return false;
  }
  return true;
}

static int compare_uses(const void *left, const void *right) {
  const use *a = left, *b = right;
  int order = memcmp(a->name, b->name, a->size < b->size ? a->size : b->size);
  return order != 0 ? order : (a->size > b->size) - (a->size < b->size);
}

/* ---- The module ---------------------------------------------------------------- */

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

/* The name of a function in builds that keep it, by its use and type; NULL if it is another function. */
static const char *name_of(const wi_module *module, uint32_t function, bool is_call) {
  if (is_call)
    return has_type(module, function, 3, 0) ? "__wbindgen_free" : NULL;
  if (has_type(module, function, 2, 1))
    return "__wbindgen_malloc";
  return has_type(module, function, 4, 1) ? "__wbindgen_realloc" : NULL;
}

/* Names the exported function by the first of its uses that tells. Returns false if out of memory. */
static bool add_name(wi_glue *glue, const reader *r, const wi_module *module,
                     const wi_export *exported) {
  const use key = {(const char *)module->bytes + exported->name.offset, exported->name.size, false};
  uint32_t at = wi_lower_bound(&key, r->uses, r->uses_count, sizeof *r->uses, compare_uses);
  const char *name = NULL;
  for (; !name && at < r->uses_count && compare_uses(&r->uses[at], &key) == 0; at++)
    name = name_of(module, exported->function, r->uses[at].is_call);
  return !name || wi_glue_add(glue, exported->function, name, strlen(name));
}

static int compare_functions(const void *left, const void *right) {
  const wi_glue_name *a = left, *b = right;
  return (a->function > b->function) - (a->function < b->function);
}

bool wi_bindgen_glue_read(wi_glue *glue, const wi_module *module, const char *text, size_t size) {
  reader r = {.start = text, .at = text, .end = text + size};
  bool done = find_uses(&r);
  if (done && r.uses_count > 0)
    qsort(r.uses, r.uses_count, sizeof *r.uses, compare_uses);
  for (uint32_t i = 0; done && r.uses_count > 0 && i < module->exports_count; i++)
    done = add_name(glue, &r, module, &module->exports[i]);
  free(r.uses);
  if (glue->names_count > 1)
    qsort(glue->names, glue->names_count, sizeof *glue->names, compare_functions);
  return done;
}
