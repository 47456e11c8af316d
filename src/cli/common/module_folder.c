#include "cli/common/module_folder.h"

#include <dirent.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

bool cli_module_folder_is(const char *path) {
  struct stat status;
  return stat(path, &status) == 0 && S_ISDIR(status.st_mode);
}

static bool is_module(const char *name) {
  static const char end[] = ".wasm";
  size_t size = strlen(name);
  return size >= sizeof end && strcmp(name + size - strlen(end), end) == 0;
}

bool cli_module_folder_list(const char *folder, bool (*visit)(void *user, const char *name),
                            void *user) {
  struct dirent **entries;
  int count = scandir(folder, &entries, NULL, alphasort);
  if (count < 0)
    return false;
  bool done = true;
  for (int i = 0; i < count; i++) {
    done = done && (!is_module(entries[i]->d_name) || visit(user, entries[i]->d_name));
    free(entries[i]);
  }
  free(entries);
  return done;
}
