/* Chooses how a program writes its profile, and finds where it ends. */
#include "hooks/embedded/outlet.h"

#include <stdio.h>
#include <string.h>

#include "module/exports.h"
#include "module/value_types.h"

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

/* Functions of hosts that take text, by their types: the image's writer, and what it imports from "host_text". */
static const struct {
  const char *writer, *field;
} host_writers[] = {{"text_put_host", "put"},
                    {"text_put_host_result", "put_result"},
                    {"text_put_host_level", "put_level"}};

/* The import called "MODULE.FIELD", or WI_NO_FUNCTION. */
static uint32_t find_import(const wi_module *module, const char *name) {
  for (uint32_t i = 0; i < module->imports_count; i++) {
    const wi_import *import = &module->imports[i];
    size_t size = import->module.size;
    if (strlen(name) > size && name[size] == '.' &&
        memcmp(module->bytes + import->module.offset, name, size) == 0 &&
        wi_module_span_equals(module, import->field, name + size + 1))
      return i;
  }
  return WI_NO_FUNCTION;
}

/* Links the writer for that import. False if its type is not one of theirs, or memory ran out. */
static bool link_host(const wi_module *module, uint32_t import, wi_image *image, wi_error *error) {
  for (size_t i = 0; i < sizeof host_writers / sizeof *host_writers; i++)
    if (wi_image_bind_text(image, host_writers[i].field, module, import))
      return wi_image_link(image, "text_put", host_writers[i].writer) || wi_error_memory(error);
  return false;
}

/* Fails, with the import's type in the message. */
static bool refuse_type(const wi_module *module, uint32_t import, const char *name,
                        wi_error *error) {
  const wi_type *type = &module->types[module->imports[import].type_index];
  wi_span plain = wi_image_plain_type(type);
  char text[64] = "";
  size_t size = 0;
  for (uint32_t i = 1; i < plain.size && size < sizeof text; i++) {
    bool is_results = i == 1 + type->param_count;
    const char *part = is_results ? ") -> (" : wi_field_type_name(module->bytes[plain.offset + i]);
    bool is_first = i == 1 || i == 2 + type->param_count;
    size += (size_t)snprintf(text + size, sizeof text - size, "%s%s",
                             is_results || is_first ? "" : ", ", part);
  }
  return wi_error_set(error, WI_ERROR_UNSUPPORTED, WI_NO_OFFSET, WI_NO_FUNCTION,
                      "--write-by %.24s: its type is (%s), not (i32, i32) -> () or -> (i32)", name,
                      text);
}

/* Chooses the host's function that the user names, or one that is known. Sets *error if that is impossible. */
static bool choose_host(const wi_module *module, const char *name, wi_image *image,
                        wi_error *error) {
  uint32_t import = find_import(module, name ? name : "env.proxy_log");
  if (import != WI_NO_FUNCTION && link_host(module, import, image, error))
    return true;
  if (!name || error->code != WI_ERROR_NONE)
    return false;
  if (import != WI_NO_FUNCTION)
    return refuse_type(module, import, name, error);
  return wi_error_set(error, WI_ERROR_UNSUPPORTED, WI_NO_OFFSET, WI_NO_FUNCTION,
                      "--write-by %.64s: the module does not import it", name);
}

static void set_writers(wi_outlet *outlet, const char *writer, const char *writer_at) {
  outlet->writer = writer;
  outlet->writer_at = writer_at;
}

/* Chooses among the ways that the program has. Sets *error on failure. */
static void choose_writers(wi_outlet *outlet, const wi_module *module, const wi_options *options,
                           wi_image *image, wi_error *error) {
  bool takes_text = options->write_at && choose_host(module, options->write_by, image, error);
  if (error->code != WI_ERROR_NONE)
    return;
  if (takes_text || (options->to_stderr && choose_text(module, image, error)))
    set_writers(outlet, "write_text", "write_text_at");
  else if (!options->to_stderr && imports_wasi(module))
    set_writers(outlet, "write_file", "write_file_at");
}

bool wi_outlet_choose(wi_outlet *outlet, const wi_module *module, const wi_options *options,
                      bool is_part, wi_image *image, wi_error *error) {
  bool writes_at = options->write_at != NULL;
  *outlet = (wi_outlet){.ends = wi_ends_find(module)};
  bool has_memory = wi_outlet_find_memory(module, &outlet->memory);
  outlet->has_clock = has_memory && imports_wasi(module) && !is_part && !options->deterministic &&
                      !options->no_file;
  if (options->to_stderr)
    wi_ends_add_component(&outlet->ends, module);
  if (options->no_file || (outlet->ends.entry == WI_NO_FUNCTION && !writes_at))
    return true;
  if (has_memory)
    choose_writers(outlet, module, options, image, error);
  if (error->code != WI_ERROR_NONE || outlet->writer || !writes_at || is_part)
    return error->code == WI_ERROR_NONE;
  return wi_error_set(error, WI_ERROR_UNSUPPORTED, WI_NO_OFFSET, WI_NO_FUNCTION,
                      "--write-at is impossible: the module exports no memory of its own as "
                      "'memory', or imports nothing that takes text; see --write-by");
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
