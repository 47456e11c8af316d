#include "symbols/source_map.h"

#include <stdlib.h>

#include "debug/data_url.h"
#include "debug/source_map_lines.h"
#include "support/path.h"

static wi_line_table *read_map(const wi_module *module, const uint8_t *text, size_t size,
                               const char *module_path) {
  char *folder = wi_path_beside(module_path, "", 0);
  wi_error ignored;
  wi_error_reset(&ignored);
  wi_line_table *table =
      folder && size < UINT32_MAX
          ? wi_line_table_of_source_map(module, text, (uint32_t)size, folder, &ignored)
          : NULL;
  free(folder);
  return table;
}

static wi_line_table *read_url(const wi_module *module, const uint8_t *url, uint32_t size,
                               const char *path) {
  wi_buffer text = {0};
  bool is_base64;
  uint32_t head_size;
  wi_line_table *table = NULL;
  if (wi_data_url_decode(url, size, &text, &is_base64, &head_size) && !text.failed)
    table = read_map(module, text.data, text.size, path);
  wi_buffer_clear(&text);
  return table;
}

/* Uses only the last component of the URL, so that a module cannot refer to another directory. */
static wi_line_table *read_file(const wi_module *module, const char *url, uint32_t size,
                                const char *path, wi_file_reader *read) {
  char *map_path = wi_path_beside(path, url, size);
  uint8_t *bytes;
  size_t map_size;
  wi_line_table *table = NULL;
  if (map_path && *wi_path_name(map_path) &&
      read(map_path, WI_SOURCE_MAP_SIZE_LIMIT, &bytes, &map_size)) {
    table = read_map(module, bytes, map_size, path);
    free(bytes);
  }
  free(map_path);
  return table;
}

wi_line_table *wi_source_map_read(const wi_module *module, const char *path, wi_file_reader *read) {
  static const char scheme[] = "data:";
  const wi_section *section = wi_module_custom_section(module, "sourceMappingURL");
  if (!section || wi_module_custom_section(module, ".debug_line"))
    return NULL;
  size_t size;
  const char *url = wi_section_url(module->bytes, section, &size);
  if (!url)
    return NULL;
  bool is_data = size >= sizeof scheme && memcmp(url, scheme, sizeof scheme - 1) == 0;
  return is_data ? read_url(module, (const uint8_t *)url, (uint32_t)size, path)
                 : read_file(module, url, (uint32_t)size, path, read);
}
