#include "support/path.h"

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
