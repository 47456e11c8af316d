#include "samples/script_file.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "debug/data_url.h"
#include "support/path.h"

enum { MOST_BETWEEN = 64 }; /* bytes between a function's name and its parameters */

/* ---- Reading ----------------------------------------------------------------------- */

/* Finds the URL in the script's last "//# sourceMappingURL=". Returns NULL if it has none. */
static const uint8_t *find_url(const wi_script_file *file, uint32_t *size) {
  static const char mark[] = "# sourceMappingURL=";
  const size_t mark_size = sizeof mark - 1;
  for (size_t at = file->size; at >= mark_size + 2; at--) {
    const uint8_t *start = file->text + at - mark_size;
    if (*start != '#' || memcmp(start, mark, mark_size) != 0 || start[-1] != '/' ||
        start[-2] != '/')
      continue;
    const uint8_t *url = file->text + at, *end = url;
    while (end < file->text + file->size && !isspace(*end))
      end++;
    *size = (uint32_t)(end - url);
    return url;
  }
  return NULL;
}

static wi_script_map *parse(const uint8_t *text, size_t size, const char *url) {
  wi_error ignored;
  wi_error_reset(&ignored);
  char *folder = wi_path_beside(url, "", 0);
  wi_script_map *map = folder && size <= WI_SOURCE_MAP_SIZE_LIMIT
                           ? wi_script_map_read(text, (uint32_t)size, folder, &ignored)
                           : NULL;
  free(folder);
  return map;
}

static wi_script_map *read_data(const uint8_t *data, uint32_t size, const char *url) {
  wi_buffer text = {0};
  bool is_base64;
  uint32_t head_size;
  wi_script_map *map = NULL;
  if (wi_data_url_decode(data, size, &text, &is_base64, &head_size) && !text.failed)
    map = parse(text.data, text.size, url);
  wi_buffer_clear(&text);
  return map;
}

static wi_script_map *read_beside(const char *path, const uint8_t *name, uint32_t size,
                                  const char *url, wi_file_reader *read) {
  char *map_path = wi_path_beside(path, (const char *)name, size);
  uint8_t *bytes;
  size_t map_size;
  wi_script_map *map = NULL;
  if (map_path && *wi_path_name(map_path) &&
      read(map_path, WI_SOURCE_MAP_SIZE_LIMIT, &bytes, &map_size)) {
    map = parse(bytes, map_size, url);
    free(bytes);
  }
  free(map_path);
  return map;
}

static wi_script_map *read_map(const wi_script_file *file, const char *path, const char *url,
                               wi_file_reader *read) {
  static const char scheme[] = "data:";
  uint32_t size;
  const uint8_t *found = find_url(file, &size);
  if (!found)
    return NULL;
  bool is_data = size >= sizeof scheme && memcmp(found, scheme, sizeof scheme - 1) == 0;
  return is_data ? read_data(found, size, url) : read_beside(path, found, size, url, read);
}

bool wi_script_file_read(wi_script_file *file, const char *url, wi_file_reader *read) {
  *file = (wi_script_file){0};
  char *path = wi_path_of_url(url);
  if (path && read(path, WI_SOURCE_MAP_SIZE_LIMIT, &file->text, &file->size))
    file->map = read_map(file, path, url, read);
  free(path);
  if (!file->map)
    wi_script_file_clear(file);
  return file->map != NULL;
}

void wi_script_file_clear(wi_script_file *file) {
  free(file->text);
  wi_script_map_free(file->map);
  *file = (wi_script_file){0};
}

/* ---- Finding ----------------------------------------------------------------------- */

/* Moves to the start of a line. */
static void go_to_line(wi_script_file *file, uint32_t line) {
  const uint8_t *end = file->text + file->size;
  while (file->line < line && file->at < end) {
    const uint8_t *found = memchr(file->at, '\n', (size_t)(end - file->at));
    file->at = found ? found + 1 : end;
    file->line++;
    file->column = 1;
  }
}

/* Returns the text at a position, whose columns count UTF-16 units; NULL: it is outside. */
static const char *text_at(wi_script_file *file, uint32_t line, uint32_t column) {
  const uint8_t *end = file->text + file->size;
  if (!file->at || line < file->line || (line == file->line && column < file->column)) {
    file->at = file->text;
    file->line = file->column = 1;
  }
  go_to_line(file, line);
  while (file->at < end && file->column < column) {
    file->column += *file->at++ >= 0xF0 ? 2 : 1;
    while (file->at < end && (*file->at & 0xC0) == 0x80)
      file->at++;
  }
  return file->at < end ? (const char *)file->at : NULL;
}

static bool is_part_of_name(char c) {
  return isalnum((unsigned char)c) || c == '_' || c == '$' || (c & 0x80) != 0;
}

/*
 * Returns how far before its parameters the name of a function begins: "name(", "name = async (",
 * "name: function ("; 0: it is not there.
 */
static uint32_t distance_of_name(wi_script_file *file, const wi_script_function *function) {
  const char *end = text_at(file, function->line, function->column), *first;
  uint32_t size = function->name_size;
  if (!end || size == 0)
    return 0;
  ptrdiff_t before = end - (const char *)file->text, most = MOST_BETWEEN + (ptrdiff_t)size;
  first = end - (before < most ? before : most);
  for (const char *at = end - 1; at >= first && !strchr(";{}\n", *at); at--) {
    bool fits = (size_t)(end - at) >= size && memcmp(at, function->name, size) == 0;
    bool starts = at == (const char *)file->text || !is_part_of_name(at[-1]);
    if (fits && starts && !is_part_of_name(at[size]))
      return (uint32_t)(end - at);
  }
  return 0;
}

const wi_script_row *wi_script_file_find(wi_script_file *file, const wi_script_function *function,
                                         const char **name) {
  uint32_t distance = distance_of_name(file, function);
  const wi_script_row *row = wi_script_map_find(file->map, function->line, function->column);
  *name = NULL;
  if (distance > 0 && distance < function->column) {
    uint32_t column = function->column - distance;
    const wi_script_row *named = wi_script_map_find(file->map, function->line, column);
    if (named && named->column == column)
      *name = wi_script_map_text(file->map, named->name);
  }
  return row && wi_script_map_text(file->map, row->path) ? row : NULL;
}
