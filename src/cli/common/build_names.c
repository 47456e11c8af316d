#include "cli/common/build_names.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "cli/common/file.h"
#include "cli/common/module_files.h"
#include "symbols/name_module.h"

typedef struct listener {
  const cli_module_files *files;
  void (*note)(void *user, const char *path, const char *message);
  void *user;
} listener;

/* Drops notes about files found in a folder, which may well contain other modules. */
static void pass_note(void *user, const char *path, const char *message) {
  const listener *to = user;
  for (size_t i = 0; i < to->files->given_count; i++)
    if (strcmp(to->files->paths[i], path) == 0) {
      to->note(to->user, path, message);
      return;
    }
}

static bool name_module(const cli_module_files *files, listener *to, const uint8_t *bytes,
                        size_t size, bool hints, wi_buffer *named, wi_error *error, char **path) {
  const wi_name_sources sources = {
      (const char *const *)files->paths, files->count, hints, wi_file_read_regular, pass_note, to};
  const char *failed;
  if (wi_name_module(bytes, size, &sources, named, error, &failed))
    return true;
  int reason = errno;
  *path = failed ? strdup(failed) : NULL;
  errno = reason;
  return false;
}

bool cli_name_after_builds(const char *const *paths, size_t count, bool hints,
                           void (*note)(void *user, const char *path, const char *message),
                           void *user, const uint8_t *bytes, size_t size, wi_buffer *named,
                           wi_error *error, char **path) {
  const char *folder = NULL;
  cli_module_files files = {0};
  listener to = {&files, note, user};
  *named = (wi_buffer){0};
  *path = NULL;
  wi_error_reset(error);
  if (count == 0 && !hints)
    return true;
  if (!cli_module_files_list(&files, paths, count, &folder)) {
    *path = folder ? strdup(folder) : NULL;
    return false;
  }
  bool done = name_module(&files, &to, bytes, size, hints, named, error, path) ||
              count == 0; /* unreadable modules are reported when they are instrumented */
  cli_module_files_clear(&files);
  return done;
}
