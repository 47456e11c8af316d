#include "cli/instrument/side_file.h"

#include <stdlib.h>
#include <string.h>

#include "cli/common/file.h"

/* Whether a URL is a plain file name. Modules may only refer to files in their own folder. */
static bool is_plain_name(side_url url) {
  static const char others[] = ":/\\"; /* includes the terminating NUL */
  for (size_t i = 0; i < sizeof others; i++)
    if (url.size == 0 || memchr(url.text, others[i], url.size))
      return false;
  return true;
}

/*
 * The path of the named file in the module's folder, also for ./name, as AssemblyScript writes it;
 * NULL for other URLs.
 */
static char *path_of_url(const char *module, side_url url) {
  if (url.text && url.size > 2 && memcmp(url.text, "./", 2) == 0)
    url = (side_url){url.text + 2, url.size - 2};
  const char *slash = strrchr(module, '/');
  size_t folder = slash ? (size_t)(slash - module) + 1 : 0;
  if (!url.text || !is_plain_name(url))
    return NULL;
  char *path = malloc(folder + url.size + 1);
  if (path) {
    memcpy(path, module, folder);
    memcpy(path + folder, url.text, url.size);
    path[folder + url.size] = '\0';
  }
  return path;
}

static void read_named(side_file *file, side_url url, uint64_t limit, const char *input) {
  char *path = path_of_url(input, url);
  if (path && !wi_file_read_regular(path, limit, &file->bytes, &file->size))
    file->bytes = NULL;
  free(path);
}

bool side_file_open(side_file *file, const char *path, side_url url, uint64_t limit,
                    const char *input, const char *output, const char *ending) {
  *file = (side_file){0};
  if (path) {
    if (!wi_file_read(path, &file->bytes, &file->size))
      return false;
  } else if (strcmp(output, "-") != 0) {
    read_named(file, url, limit, input);
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
