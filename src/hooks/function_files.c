#include "hooks/function_files.h"

#include <string.h>

#include "debug/data_url.h"
#include "debug/places.h"
#include "debug/source_map_lines.h"
#include "module/read.h"

static wi_line_table *read_map(const wi_module *module, const uint8_t *text, size_t size) {
  wi_error ignored; /* it is reported when the map is rewritten */
  wi_error_reset(&ignored);
  return size < UINT32_MAX ? wi_line_table_of_source_map(module, text, (uint32_t)size, "", &ignored)
                           : NULL;
}

static wi_line_table *read_map_inside(const wi_module *module) {
  wi_buffer text = {0};
  size_t size;
  bool is_base64;
  uint32_t head_size;
  wi_line_table *table = NULL;
  const char *url = wi_module_url(module->bytes, module->size, "sourceMappingURL", &size);
  if (url && size > 5 && memcmp(url, "data:", 5) == 0 &&
      wi_data_url_decode((const uint8_t *)url, (uint32_t)size, &text, &is_base64, &head_size))
    table = read_map(module, text.data, text.size);
  wi_buffer_clear(&text);
  return table;
}

bool wi_function_files_init(wi_function_files *files, const wi_module *module,
                            const wi_options *options) {
  *files = (wi_function_files){.module = module, .places = wi_places_of_module(module, module)};
  if (files->places && files->places->items_count == 0)
    files->lines = options->source_map
                       ? read_map(module, options->source_map, options->source_map_size)
                       : read_map_inside(module);
  return files->places != NULL;
}

void wi_function_files_clear(wi_function_files *files) {
  wi_places_free(files->places);
  wi_line_table_free(files->lines);
}

bool wi_function_files_any(const wi_function_files *files) {
  return files->places->items_count > 0 || files->lines;
}

const char *wi_function_files_find(const wi_function_files *files, uint32_t function) {
  uint32_t line;
  const wi_module *module = files->module;
  if (!files->lines)
    return wi_places_find(files->places, function, &line);
  wi_span body = module->bodies[function - module->imports_count];
  const wi_line_row *row = wi_line_table_first(files->lines, module, body);
  return row ? wi_line_table_path(files->lines, row) : NULL;
}
