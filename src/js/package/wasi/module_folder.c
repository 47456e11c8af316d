/* cli/common/module_folder.h for the npm package, whose commands cannot read folders. */
#include "cli/common/module_folder.h"

#include <errno.h>

bool cli_module_folder_is(const char *path) {
  (void)path;
  return false;
}

bool cli_module_folder_list(const char *folder, bool (*visit)(void *user, const char *name),
                            void *user) {
  (void)folder;
  (void)visit;
  (void)user;
  errno = ENOTDIR;
  return false;
}
