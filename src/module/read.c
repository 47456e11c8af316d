#include "module/read.h"

#include <string.h>

#include "module/exports.h"
#include "module/read_sections.h"
#include "module/read_wabt.h"

static bool check_header(const uint8_t *bytes, size_t size, wi_error *error) {
  static const uint8_t magic[4] = {0x00, 'a', 's', 'm'};
  if (size < sizeof magic || memcmp(bytes, magic, sizeof magic) != 0)
    return wi_error_set(error, WI_ERROR_NOT_WASM, 0, WI_NO_FUNCTION,
                        "not a WebAssembly module (no \\0asm at its start)");
  if (size < WI_MODULE_HEADER_SIZE)
    return wi_error_set(error, WI_ERROR_TRUNCATED, size, WI_NO_FUNCTION, "truncated header");
  /* A component has a layer of 1 in the upper half of the version field. */
  if (bytes[6] == 1 && bytes[7] == 0)
    return wi_error_set(error, WI_ERROR_COMPONENT, 4, WI_NO_FUNCTION,
                        "this is a component, not a core module");
  if (bytes[4] != 1 || bytes[5] != 0 || bytes[6] != 0 || bytes[7] != 0)
    return wi_error_set(error, WI_ERROR_NOT_WASM, 4, WI_NO_FUNCTION,
                        "unknown binary version %02x%02x%02x%02x", bytes[7], bytes[6], bytes[5],
                        bytes[4]);
  if (size > UINT32_MAX)
    return wi_error_set(error, WI_ERROR_LIMIT, WI_NO_OFFSET, WI_NO_FUNCTION,
                        "modules of 4 GiB and more are not supported");
  return true;
}

typedef bool section_reader(wi_module *module, wi_error *error);

static bool read_by_any(section_reader *read, wi_module *module, wi_error *error) {
  const wi_module unread = *module;
  if (wi_module_read_wabt(module))
    return true;
  wi_module_clear(module);
  *module = unread;
  return read(module, error);
}

static bool read_with(section_reader *read, wi_module *module, const uint8_t *bytes, size_t size,
                      wi_error *error) {
  *module = (wi_module){0};
  if (!check_header(bytes, size, error))
    return false;
  *module = (wi_module){.bytes = bytes, .size = (uint32_t)size};
  if (read_by_any(read, module, error) && wi_module_check_exports(module, error))
    return true;
  wi_module_clear(module);
  return false;
}

bool wi_module_read(wi_module *module, const uint8_t *bytes, size_t size, wi_error *error) {
  return read_with(wi_module_read_sections, module, bytes, size, error);
}

bool wi_module_read_debug_file(wi_module *module, const uint8_t *bytes, size_t size,
                               wi_error *error) {
  return read_with(wi_module_read_without_code, module, bytes, size, error);
}
