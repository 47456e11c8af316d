#include "symbols/glue_names.h"

#include <stdlib.h>

#include "support/search.h"

bool wi_glue_add(wi_glue *glue, uint32_t function, const char *name, size_t size) {
  wi_glue_name *added = WI_ARRAY_PUSH(glue, names);
  if (!added)
    return false;
  *added = (wi_glue_name){function, (uint32_t)glue->text.size};
  wi_buffer_append(&glue->text, name, size);
  wi_buffer_u8(&glue->text, 0);
  return !glue->text.failed;
}

void wi_glue_clear(wi_glue *glue) {
  free(glue->names);
  wi_buffer_clear(&glue->text);
}

const char *wi_glue_find(const wi_glue *glue, uint32_t function) {
  uint32_t at = WI_LOWER_BOUND(wi_glue_name, glue->names, glue->names_count, function, function);
  bool is_there = at < glue->names_count && glue->names[at].function == function;
  return is_there ? (const char *)glue->text.data + glue->names[at].name : NULL;
}
