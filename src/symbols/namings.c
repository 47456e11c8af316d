#include "symbols/namings.h"

#include <stdlib.h>
#include <string.h>

#include "match/modules.h"
#include "module/names.h"

bool wi_namings_begin(wi_namings *namings) {
  uint32_t count = wi_module_function_count(namings->module);
  if (namings->items)
    return true;
  namings->items = malloc((count + (size_t)1) * sizeof *namings->items);
  for (uint32_t i = 0; namings->items && i < count; i++)
    namings->items[i] = (wi_naming){WI_NO_NAME, 0, WI_NAMING_MATCHED};
  return namings->items != NULL;
}

void wi_namings_set(wi_namings *namings, uint32_t function, const char *name, float confidence) {
  wi_naming *item = &namings->items[function];
  if (item->name != WI_NO_NAME && item->confidence >= confidence)
    return;
  namings->named_count += item->name == WI_NO_NAME;
  *item = (wi_naming){(uint32_t)namings->text.size, confidence, WI_NAMING_MATCHED};
  wi_buffer_append(&namings->text, name, strlen(name) + 1);
}

/* Whether the name section or Go's table names it. Names of exports do not count. */
static bool has_name(const wi_names *names, uint32_t function) {
  wi_span ignored;
  return wi_names_raw(names, function, &ignored);
}

void wi_namings_set_exact(wi_namings *namings, uint32_t function, const char *name) {
  wi_naming *item = &namings->items[function];
  if (has_name(namings->own, function) ||
      (item->name != WI_NO_NAME && item->kind == WI_NAMING_EXACT))
    return;
  item->confidence = -1; /* lower than any */
  wi_namings_set(namings, function, name, 1);
  item->kind = WI_NAMING_EXACT;
}

bool wi_namings_add_own(wi_namings *namings) {
  uint32_t count = wi_module_function_count(namings->module);
  if (!wi_namings_begin(namings))
    return false;
  for (uint32_t i = namings->module->imports_count; i < count; i++)
    if (has_name(namings->own, i))
      wi_namings_set(namings, i, wi_names_get(namings->own, i), 1);
  return !namings->text.failed;
}

bool wi_naming_is_numbered(const char *name) {
  static const char *const marks[] = {".llvm.",   "__anon_",     "__func_", "__struct_", "__enum_",
                                      "__union_", ".constprop.", ".isra.",  ".part."};
  if (name[strspn(name, "0123456789")] == '\0')
    return true;
  for (size_t i = 0; i < sizeof marks / sizeof *marks; i++) {
    const char *at = strstr(name, marks[i]);
    char after = at ? at[strlen(marks[i])] : '\0';
    if (after >= '0' && after <= '9')
      return true;
  }
  return false;
}

bool wi_namings_add(wi_namings *namings, const wi_module *from, wi_names *names,
                    wi_matches *matches, wi_error *in_error, wi_error *from_error) {
  if (!wi_namings_begin(namings))
    return wi_error_memory(in_error);
  if (!wi_match_modules(matches, namings->module, from, in_error, from_error))
    return false;
  for (uint32_t i = 0; i < matches->count; i++) {
    wi_match match = matches->items[i];
    if (match.from == WI_NO_FUNCTION || !has_name(names, match.from))
      continue;
    const char *name = wi_names_get(names, match.from);
    if (matches->has_same_layout || !wi_naming_is_numbered(name))
      wi_namings_set(namings, i, name, match.confidence);
  }
  if (!namings->text.failed)
    return true;
  wi_matches_clear(matches);
  return wi_error_memory(in_error);
}

void wi_namings_hint(wi_namings *namings, uint32_t function, const char *hint) {
  wi_namings_set(namings, function, hint, 0);
  namings->items[function].kind = WI_NAMING_HINT;
}

void wi_namings_clear(wi_namings *namings) {
  free(namings->items);
  wi_buffer_clear(&namings->text);
  *namings = (wi_namings){0};
}

const char *wi_namings_get(const wi_namings *namings, uint32_t function) {
  if (!namings->items || namings->items[function].name == WI_NO_NAME)
    return NULL;
  return (const char *)namings->text.data + namings->items[function].name;
}
