#include "support/path.h"

#include <stdbool.h>
#include <stdlib.h>

char *wi_path_beside(const char *path, const char *name, size_t name_size) {
  size_t folder_size = (size_t)(wi_path_name(path) - path), start = name_size;
  while (start > 0 && name[start - 1] != '/')
    start--;
  char *beside = malloc(folder_size + name_size - start + 1);
  if (!beside)
    return NULL;
  memcpy(beside, path, folder_size);
  memcpy(beside + folder_size, name + start, name_size - start);
  beside[folder_size + name_size - start] = '\0';
  return beside;
}

static int hex_value(char digit) {
  if (digit >= '0' && digit <= '9')
    return digit - '0';
  digit = (char)(digit | 0x20);
  return digit >= 'a' && digit <= 'f' ? digit - 'a' + 10 : -1;
}

char *wi_path_of_url(const char *url) {
  static const char scheme[] = "file://";
  bool is_url = strncmp(url, scheme, sizeof scheme - 1) == 0;
  const char *from = is_url ? url + sizeof scheme - 1 : url;
  char *path = *from == '/' ? strdup(from) : NULL, *to = path;
  for (; path && is_url && *from; from++) {
    bool is_escape = *from == '%' && hex_value(from[1]) >= 0 && hex_value(from[2]) >= 0;
    *to++ = is_escape ? (char)(hex_value(from[1]) * 16 + hex_value(from[2])) : *from;
    from += is_escape ? 2 : 0;
  }
  if (path && is_url)
    *to = '\0';
  return path;
}
