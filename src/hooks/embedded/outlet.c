/* Chooses how a program writes its profile, and finds where it ends. */
#include "hooks/embedded/outlet.h"

#include <string.h>

#include "module/exports.h"

/* ---- The memory that hosts read ---------------------------------------------------------- */

static bool is_named_memory(const wi_module *module, wi_span name, uint8_t kind, uint32_t index,
                            void *context) {
  if (kind != WI_EXTERN_MEMORY || !wi_module_span_equals(module, name, "memory"))
    return false;
  *(uint32_t *)context = index;
  return true;
}

/* Whether memory `index` is defined by the module, 32-bit, and initially not empty. */
static bool is_plain_memory(const wi_module *module, uint32_t index) {
  uint32_t imports = module->import_counts[WI_EXTERN_MEMORY];
  wi_limits limits;
  return index >= imports && wi_module_own_memory(module, index - imports, &limits) &&
         (limits.flags & ~(WI_LIMITS_MAXIMUM | WI_LIMITS_SHARED)) == 0 && limits.minimum > 0;
}

bool wi_outlet_find_memory(const wi_module *module, uint32_t *memory) {
  return wi_module_find_any_export(module, is_named_memory, memory) &&
         is_plain_memory(module, *memory);
}

static bool imports_wasi(const wi_module *module) {
  for (uint32_t i = 0; i < module->imports_count; i++)
    if (wi_module_span_equals(module, module->imports[i].module, "wasi_snapshot_preview1"))
      return true;
  return false;
}

/* ---- Choosing ------------------------------------------------------------ */

/* Chooses a text writer whose imports the program has. Sets *error only if memory runs out. */
static bool choose_text(const wi_module *module, wi_image *image, wi_error *error) {
  static const char *const writers[] = {"text_put_wasip1", "text_put_wasip2",
                                        "text_put_wasip2_blocking"};
  for (size_t i = 0; i < sizeof writers / sizeof *writers; i++) {
    if (wi_image_bind(image, writers[i], module, error))
      return wi_image_link(image, "text_put", writers[i]) || wi_error_memory(error);
    if (error->code != WI_ERROR_NONE)
      return false;
  }
  return false;
}

/* Applies to WASI commands: the host calls _start once, and finds the memory by its name. */
bool wi_outlet_choose(const wi_module *module, const wi_options *options, wi_ends *ends,
                      wi_image *image, const char **writer, uint32_t *memory, wi_error *error) {
  *writer = NULL;
  *ends = wi_ends_find(module);
  if (options->to_stderr)
    wi_ends_add_component(ends, module);
  if (options->no_file || ends->entry == WI_NO_FUNCTION || !wi_outlet_find_memory(module, memory))
    return true;
  if (!options->to_stderr && imports_wasi(module))
    *writer = "write_file";
  if (options->to_stderr && choose_text(module, image, error))
    *writer = "write_text";
  return error->code == WI_ERROR_NONE;
}

static bool is_of_toolchain(const wi_module *module, wi_span name) {
  static const char *const starts[] = {"_",      "asyncify_", "cabi_", "malloc",
                                       "calloc", "realloc",   "free"};
  for (size_t i = 0; i < sizeof starts / sizeof *starts; i++)
    if (wi_module_span_begins(module, name, starts[i]))
      return true;
  return false;
}

bool wi_outlet_is_start_only(const wi_module *module) {
  uint32_t start = wi_module_find_export(module, "_start");
  for (uint32_t i = 0; start != WI_NO_FUNCTION && i < module->exports_count; i++)
    if (module->exports[i].function != start && !is_of_toolchain(module, module->exports[i].name))
      return true;
  return false;
}
