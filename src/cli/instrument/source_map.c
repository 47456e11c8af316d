#include "cli/instrument/source_map.h"

#include <stdlib.h>
#include <string.h>

#include "wasm_instrument/wasm_instrument.h"

/* The file that a URL without scheme or host means, seen from the module; NULL for any other. */
static char *path_of_url(const char *module, const char *url, size_t size) {
  const char *slash = strrchr(module, '/');
  size_t folder = slash ? (size_t)(slash - module) + 1 : 0;
  if (!url || size == 0 || memchr(url, ':', size) || memchr(url, '\0', size) || url[0] == '/')
    return NULL;
  char *path = malloc(folder + size + 1);
  if (path) {
    memcpy(path, module, folder);
    memcpy(path + folder, url, size);
    path[folder + size] = '\0';
  }
  return path;
}

static bool open_named(source_map *map, const char *input, const uint8_t *bytes, size_t size) {
  size_t url_size = 0;
  const char *url = wi_source_map_url(bytes, size, &url_size);
  char *path = path_of_url(input, url, url_size);
  bool opened = path && wi_file_input_open(&map->file, path);
  free(path);
  return opened;
}

bool source_map_open(source_map *map, const char *path, const char *input, const char *output,
                     const uint8_t *bytes, size_t size) {
  static const char ending[] = ".map";
  *map = (source_map){0};
  if (path)
    map->is_open = wi_file_input_open(&map->file, path);
  else if (strcmp(output, "-") != 0)
    map->is_open = open_named(map, input, bytes, size);
  if (!map->is_open)
    return !path;
  map->path = malloc(strlen(output) + sizeof ending);
  if (!map->path) {
    source_map_close(map);
    return false;
  }
  strcat(strcpy(map->path, output), ending);
  const char *slash = strrchr(map->path, '/');
  map->url = slash ? slash + 1 : map->path;
  return true;
}

void source_map_close(source_map *map) {
  if (map->is_open)
    wi_file_input_close(&map->file);
  free(map->path);
  *map = (source_map){0};
}
