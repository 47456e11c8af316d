/* Which imports of WASI are replaced, and by what. */
#include "hooks/embedded/fixed_host.h"

#include <stdio.h>
#include <stdlib.h>

#include "hooks/embedded/outlet.h"
#include "rewrite/warn.h"

/* What the image calls the function that takes the place of the import; "": it has none. */
typedef struct export_name {
  char text[64];
} export_name;

static export_name name_of(const wi_module *module, uint32_t import) {
  const wi_import *item = &module->imports[import];
  export_name name = {""};
  if (wi_module_span_equals(module, item->module, "wasi_snapshot_preview1"))
    snprintf(name.text, sizeof name.text, "fixed_%.*s", (int)item->field.size,
             (const char *)module->bytes + item->field.offset);
  return name;
}

static bool has_plain_type(const wi_image *image, uint32_t function, const wi_module *program,
                           uint32_t import) {
  const wi_module *own = &image->module;
  uint32_t type = own->function_types[function - own->imports_count];
  return wi_image_is_same_type(image, type, program, program->imports[import].type_index);
}

/* The image's function for the import, or WI_NO_FUNCTION. */
static uint32_t find_function(const wi_image *image, const wi_module *program, uint32_t import) {
  export_name name = name_of(program, import);
  uint32_t function = wi_module_find_export(&image->module, name.text);
  bool fits = function != WI_NO_FUNCTION && has_plain_type(image, function, program, import);
  return fits ? function : WI_NO_FUNCTION;
}

static bool keep(wi_image *image, const wi_module *program, uint32_t import, wi_error *error) {
  export_name name = name_of(program, import);
  wi_image_keep(image, name.text);
  return wi_image_bind(image, name.text, program, error) || error->code == WI_ERROR_NONE;
}

bool wi_fixed_host_choose(wi_plan *plan, const wi_options *options, wi_image *image,
                          uint32_t *memory, wi_error *error) {
  const wi_module *module = plan->module;
  if (!options->deterministic)
    return true;
  bool has_memory = wi_outlet_find_memory(module, memory) && *memory == 0;
  for (uint32_t i = 0; i < module->imports_count; i++) {
    if (find_function(image, module, i) == WI_NO_FUNCTION)
      continue;
    if (!has_memory) {
      wi_warn(options, "clock, random numbers and files are the host's: the module does not export "
                       "a memory of its own that the profiler can use as 'memory'");
      return true;
    }
    if (!plan->replaced)
      plan->replaced = calloc(module->imports_count, sizeof *plan->replaced);
    if (!plan->replaced)
      return wi_error_memory(error);
    if (!keep(image, module, i, error))
      return false;
  }
  return true;
}

void wi_fixed_host_place(wi_plan *plan, const wi_merge *runtime) {
  for (uint32_t i = 0; plan->replaced && i < plan->module->imports_count; i++) {
    uint32_t function = find_function(&runtime->image, plan->module, i);
    plan->replaced[i] = function == WI_NO_FUNCTION ? function : runtime->functions[function];
  }
}
