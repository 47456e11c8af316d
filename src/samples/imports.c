#include "samples/imports.h"

#include <stdlib.h>
#include <string.h>

#define NONE    0u /* no node: the root is never a child */
#define SEVERAL UINT32_MAX

bool wi_imports_init(wi_imports *imports, const wasm_perf_profile *profile) {
  const wasm_perf_node *nodes = profile->nodes;
  *imports = (wi_imports){profile, calloc(profile->header.node_count, sizeof *imports->only)};
  if (!imports->only)
    return false;
  for (uint32_t i = 1; i < profile->header.node_count; i++)
    if (nodes[i].function < profile->header.host_function_count) {
      uint32_t *only = &imports->only[nodes[i].parent];
      *only = *only == NONE ? i : SEVERAL;
    }
  return true;
}

void wi_imports_clear(wi_imports *imports) {
  free(imports->only);
  *imports = (wi_imports){0};
}

/* Whether the import has that name, optionally preceded by its module's name. */
static bool is_called(const char *import, const char *name, size_t size) {
  size_t import_size = strlen(import);
  return size > 0 && import_size >= size && memcmp(import + import_size - size, name, size) == 0 &&
         (import_size == size || import[import_size - size - 1] == '.');
}

uint32_t wi_imports_find(const wi_imports *imports, uint32_t node, const char *name, size_t size) {
  const wasm_perf_profile *profile = imports->profile;
  for (const char *dot; (dot = memchr(name, '.', size)) != NULL; name = dot + 1)
    size -= (size_t)(dot + 1 - name);
  for (uint32_t i = 0; i < profile->header.name_count; i++) {
    const wasm_perf_name *import = &profile->names[i];
    if (import->function >= profile->header.host_function_count)
      break;
    if (is_called(import->text, name, size))
      return import->function;
  }
  uint32_t only = imports->only[node];
  return only == NONE || only == SEVERAL ? WI_NO_IMPORT : profile->nodes[only].function;
}
