#include "cli/perf/record/name_module.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "cli/common/build_names.h"

static void note_build(void *user, const char *path, const char *message) {
  (void)user;
  cli_error(path, "warning: %s", message);
}

bool cli_record_name_module(const cli_request *request, uint8_t **module, size_t *size) {
  const cli_list *builds = &request->symbols;
  wi_buffer named;
  wi_error error;
  char *path;
  bool done = cli_name_after_builds((const char *const *)builds->items, builds->count, true,
                                    note_build, NULL, *module, *size, &named, &error, &path);
  if (!done && error.code == WI_ERROR_NONE)
    cli_error(path, "%s", strerror(errno));
  else if (!done)
    cli_module_error(path ? path : request->module_path, &error);
  free(done ? NULL : path);
  if (!done || named.size == 0)
    return done;
  free(*module);
  *module = named.data;
  *size = named.size;
  return true;
}
