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

/* ---- Where a program ends ------------------------------------------------ */

static bool imports_wasi(const wi_module *module) {
  for (uint32_t i = 0; i < module->imports_count; i++)
    if (wi_module_span_equals(module, module->imports[i].module, "wasi_snapshot_preview1"))
      return true;
  return false;
}

static bool ends_with(const wi_module *module, wi_span span, const char *text) {
  uint32_t size = (uint32_t)strlen(text);
  return span.size >= size &&
         memcmp(module->bytes + span.offset + span.size - size, text, size) == 0;
}

/*
 * The export of a component's core module that is lifted as this function of a versioned interface.
 */
static uint32_t find_lifted(const wi_module *module, const char *interface, const char *function) {
  for (uint32_t i = 0; i < module->exports_count; i++)
    if (wi_module_span_begins(module, module->exports[i].name, interface) &&
        ends_with(module, module->exports[i].name, function))
      return module->exports[i].function;
  return WI_NO_FUNCTION;
}

static uint32_t find_lowered(const wi_module *module, const char *interface, const char *function) {
  for (uint32_t i = 0; i < module->imports_count; i++)
    if (wi_module_span_begins(module, module->imports[i].module, interface) &&
        wi_module_span_equals(module, module->imports[i].field, function))
      return i;
  return WI_NO_FUNCTION;
}

/* Finds the ends of a WASI 0.2 command, unless preview 1 has some; modules may mix the two. */
static void find_ends(wi_plan *plan) {
  const wi_module *module = plan->module;
  if (plan->entry == WI_NO_FUNCTION)
    plan->entry = find_lifted(module, "wasi:cli/run@", "#run");
  if (plan->exits[0] == WI_NO_FUNCTION)
    plan->exits[0] = find_lowered(module, "wasi:cli/exit@", "exit");
  plan->exits[1] = find_lowered(module, "wasi:cli/exit@", "exit-with-code");
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
bool wi_outlet_choose(wi_plan *plan, const wi_options *options, wi_image *image,
                      const char **writer, uint32_t *memory, wi_error *error) {
  *writer = NULL;
  if (options->to_stderr)
    find_ends(plan);
  if (options->no_file || plan->entry == WI_NO_FUNCTION ||
      !wi_outlet_find_memory(plan->module, memory))
    return true;
  if (!options->to_stderr && imports_wasi(plan->module))
    *writer = "write_file";
  if (options->to_stderr && choose_text(plan->module, image, error))
    *writer = "write_text";
  return error->code == WI_ERROR_NONE;
}
