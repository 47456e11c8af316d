#include "cli/common/module_files.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli/common/module_folder.h"

void cli_module_files_clear(cli_module_files *files) {
  for (size_t i = 0; i < files->count; i++)
    free(files->paths[i]);
  free(files->paths);
  *files = (cli_module_files){0};
}

/* `folder` is NULL for a path given by name. */
static bool add(cli_module_files *files, const char *folder, const char *name) {
  size_t size = (folder ? strlen(folder) + 1 : 0) + strlen(name) + 1;
  char **paths = realloc(files->paths, (files->count + 1) * sizeof *paths);
  if (!paths)
    return false;
  files->paths = paths;
  char *path = malloc(size);
  if (!path)
    return false;
  snprintf(path, size, "%s%s%s", folder ? folder : "", folder ? "/" : "", name);
  paths[files->count++] = path;
  return true;
}

/* Adds a folder's files to the list. */
typedef struct visitor {
  cli_module_files *files;
  const char *folder;
} visitor;

static bool add_from_folder(void *user, const char *name) {
  const visitor *at = user;
  return add(at->files, at->folder, name);
}

static bool add_folder(cli_module_files *files, const char *folder) {
  visitor at = {files, folder};
  return cli_module_folder_list(folder, add_from_folder, &at);
}

/* Called twice, first for files and then for folders, so that files given by name come first. */
static bool list(cli_module_files *files, const char *const *paths, size_t count, bool folders,
                 const char **failed) {
  for (size_t i = 0; i < count; i++) {
    if (cli_module_folder_is(paths[i]) != folders)
      continue;
    *failed = folders ? paths[i] : NULL;
    if (!(folders ? add_folder(files, paths[i]) : add(files, NULL, paths[i])))
      return false;
  }
  return true;
}

bool cli_module_files_list(cli_module_files *files, const char *const *paths, size_t count,
                           const char **failed) {
  bool done = list(files, paths, count, false, failed);
  files->given_count = files->count;
  done = done && list(files, paths, count, true, failed);
  if (done)
    return true;
  cli_module_files_clear(files);
  return false;
}
