#include "cli/instrument/side_file.h"

#include <stdlib.h>
#include <string.h>

#include "cli/common/file.h"

/* The file that a URL without scheme or host means, seen from the module; NULL for any other. */
static char *path_of_url(const char *module, side_url url) {
  const char *slash = strrchr(module, '/');
  size_t folder = slash ? (size_t)(slash - module) + 1 : 0;
  if (!url.text || url.size == 0 || memchr(url.text, ':', url.size) ||
      memchr(url.text, '\0', url.size) || url.text[0] == '/')
    return NULL;
  char *path = malloc(folder + url.size + 1);
  if (path) {
    memcpy(path, module, folder);
    memcpy(path + folder, url.text, url.size);
    path[folder + url.size] = '\0';
  }
  return path;
}

static void read_named(side_file *file, side_url url, const char *input) {
  char *path = path_of_url(input, url);
  if (path && !wi_file_read(path, &file->bytes, &file->size))
    file->bytes = NULL;
  free(path);
}

bool side_file_open(side_file *file, const char *path, side_url url, const char *input,
                    const char *output, const char *ending) {
  *file = (side_file){0};
  if (path) {
    if (!wi_file_read(path, &file->bytes, &file->size))
      return false;
  } else if (strcmp(output, "-") != 0) {
    read_named(file, url, input);
  }
  if (!file->bytes)
    return true;
  file->path = malloc(strlen(output) + strlen(ending) + 1);
  if (!file->path) {
    side_file_close(file);
    return false;
  }
  strcat(strcpy(file->path, output), ending);
  const char *slash = strrchr(file->path, '/');
  file->url = slash ? slash + 1 : file->path;
  return true;
}

void side_file_close(side_file *file) {
  free(file->bytes);
  free(file->path);
  *file = (side_file){0};
}
