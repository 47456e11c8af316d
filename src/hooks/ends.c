#include "hooks/ends.h"

#include <string.h>

#include "code/opcodes.h"
#include "module/exports.h"

const wi_ends wi_no_ends = {{WI_NO_FUNCTION, WI_NO_FUNCTION}, WI_NO_FUNCTION};

typedef bool name_match(const wi_module *module, wi_span name, const char *text);

static uint32_t find_import(const wi_module *module, name_match *is_from, const char *from,
                            const char *field) {
  for (uint32_t i = 0; i < module->imports_count; i++)
    if (is_from(module, module->imports[i].module, from) &&
        wi_module_span_equals(module, module->imports[i].field, field))
      return i;
  return WI_NO_FUNCTION;
}

/* Without _start, wasmtime runs the default export, whose name is empty. */
wi_ends wi_ends_find(const wi_module *module) {
  uint32_t start = wi_module_find_export(module, "_start");
  uint32_t exit = find_import(module, wi_module_span_equals, "wasi_snapshot_preview1", "proc_exit");
  return (wi_ends){{exit, WI_NO_FUNCTION},
                   start != WI_NO_FUNCTION ? start : wi_module_find_export(module, "")};
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

/* An import of a versioned interface. */
static uint32_t find_lowered(const wi_module *module, const char *interface, const char *function) {
  return find_import(module, wi_module_span_begins, interface, function);
}

void wi_ends_add_component(wi_ends *ends, const wi_module *module) {
  if (ends->entry == WI_NO_FUNCTION)
    ends->entry = find_lifted(module, "wasi:cli/run@", "#run");
  if (ends->exits[0] == WI_NO_FUNCTION)
    ends->exits[0] = find_lowered(module, "wasi:cli/exit@", "exit");
  ends->exits[1] = find_lowered(module, "wasi:cli/exit@", "exit-with-code");
}

bool wi_ends_by_throw(const wi_module *module, const wi_site *call) {
  return module->import_counts[WI_EXTERN_TAG] > 0 &&
         module->bytes[call->offset + call->size] == UNREACHABLE;
}
