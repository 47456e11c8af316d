#include "cli/common/build_names.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "cli/common/file.h"
#include "cli/common/module_files.h"
#include "symbols/name_module.h"

typedef struct listener {
  const cli_module_files *files;
  const cli_name_request *request;
} listener;

/* Drops notes about files found in a folder, which may well contain other modules. */
static void pass_note(void *user, const char *path, const char *message) {
  const listener *to = user;
  for (size_t i = 0; i < to->files->given_count; i++)
    if (strcmp(to->files->paths[i], path) == 0) {
      to->request->note(to->request->user, path, message);
      return;
    }
}

static bool name_module(const cli_module_files *files, const cli_name_request *request,
                        const uint8_t *bytes, size_t size, wi_buffer *named, wi_error *error,
                        char **path) {
  listener to = {files, request};
  const wi_name_sources sources = {.module_path = request->module_path,
                                   .caller = request->caller,
                                   .paths = (const char *const *)files->paths,
                                   .count = files->count,
                                   .is_any = request->is_any,
                                   .hints = request->hints,
                                   .read = wi_file_read_regular,
                                   .note = pass_note,
                                   .user = &to};
  const char *failed;
  if (wi_name_module(bytes, size, &sources, named, error, &failed))
    return true;
  int reason = errno;
  *path = failed ? strdup(failed) : NULL;
  errno = reason;
  return false;
}

bool cli_name_functions(const cli_name_request *request, const uint8_t *bytes, size_t size,
                        wi_buffer *named, wi_error *error, char **path) {
  const char *folder = NULL;
  cli_module_files files = {0};
  *named = (wi_buffer){0};
  *path = NULL;
  wi_error_reset(error);
  if (!cli_module_files_list(&files, request->paths, request->count, &folder)) {
    *path = folder ? strdup(folder) : NULL;
    return false;
  }
  bool done = name_module(&files, request, bytes, size, named, error, path) ||
              request->count == 0; /* unreadable modules are reported when they are instrumented */
  cli_module_files_clear(&files);
  return done;
}
