#include "cli/reader/file_kind.h"

#include <stdbool.h>
#include <string.h>

#include "debug/source_map_reader.h"
#include "module/symbol_map.h"
#include "report/formats/html/page_parts.h"

static bool is_module(const uint8_t *bytes, size_t size) {
  static const uint8_t magic[] = {0, 'a', 's', 'm'}; /* of components, too */
  return size >= sizeof magic && memcmp(bytes, magic, sizeof magic) == 0;
}

/* Where `text` begins, from `from` on; `size`: nowhere. */
static size_t find(const uint8_t *bytes, size_t size, size_t from, const char *text) {
  size_t length = strlen(text);
  while (from + length <= size) {
    const uint8_t *next = memchr(bytes + from, *text, size - length + 1 - from);
    if (!next)
      break;
    from = (size_t)(next - bytes);
    if (memcmp(next, text, length) == 0)
      return from;
    from++;
  }
  return size;
}

static bool is_page(const uint8_t *bytes, size_t size, wi_span *data) {
  size_t open = find(bytes, size, 0, WI_HTML_OPEN_DATA);
  size_t start = open + sizeof WI_HTML_OPEN_DATA - 1, end = find(bytes, size, open, "</script>");
  if (end == size || end > UINT32_MAX)
    return false;
  *data = (wi_span){(uint32_t)start, (uint32_t)(end - start)};
  return true;
}

static bool is_symbol_map(const uint8_t *bytes, size_t size) {
  wi_symbol_map map = {0};
  wi_error error;
  wi_error_reset(&error);
  bool is_map = wi_symbol_map_read(&map, (const char *)bytes, size, &error) && map.count > 0;
  wi_symbol_map_clear(&map);
  return is_map;
}

static bool pass(void *context, const wi_source_map_segment *segment) {
  (void)segment;
  *(bool *)context = true;
  return true;
}

static bool is_source_map(const uint8_t *bytes, size_t size) {
  wi_buffer texts = {0};
  bool has_segments = false;
  wi_source_map_visitor visitor = {.context = &has_segments, .texts = &texts, .add_segment = pass};
  wi_error error;
  wi_error_reset(&error);
  bool is_map = size < UINT32_MAX &&
                wi_source_map_visit(&visitor, bytes, (uint32_t)size, "", &error) && has_segments;
  wi_buffer_clear(&texts);
  return is_map;
}

wi_file_kind wi_file_kind_of(const uint8_t *bytes, size_t size, wi_span *data) {
  if (is_module(bytes, size) || is_symbol_map(bytes, size))
    return WI_FILE_SYMBOLS;
  if (is_page(bytes, size, data))
    return WI_FILE_PAGE;
  return is_source_map(bytes, size) ? WI_FILE_MAP : WI_FILE_PROFILE;
}
