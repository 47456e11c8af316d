#define _GNU_SOURCE /* realpath */

#include "cli/perf/record/private_folder.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "cli/common/message.h"

static const char *const other_places[] = {"/tmp", "/var/tmp", "/dev/shm"};

/* Whether the absolute `path` is `folder` or in it. */
static bool is_inside(const char *path, const char *folder) {
  size_t size = strlen(folder);
  while (size > 0 && folder[size - 1] == '/') /* the root becomes "" */
    size--;
  return strncmp(path, folder, size) == 0 && (path[size] == '/' || path[size] == '\0');
}

/* The item of `dirs` that gives the program access to `place`, or NULL. */
static const char *dir_around(const char *place, const cli_list *dirs) {
  const char *found = NULL;
  char *path = realpath(place, NULL);
  for (size_t i = 0; path && i < dirs->count && !found; i++) {
    const char *guest = strstr(dirs->items[i], "::");
    int size = (int)(guest ? guest - dirs->items[i] : (ptrdiff_t)strlen(dirs->items[i]));
    char *given = cli_text("%.*s", size, dirs->items[i]);
    char *host = realpath(given, NULL);
    if (host && is_inside(path, host))
      found = dirs->items[i];
    free(host);
    free(given);
  }
  free(path);
  return found;
}

static bool make_elsewhere(wi_temporary *folder, const cli_list *dirs) {
  for (size_t i = 0; i < sizeof other_places / sizeof *other_places; i++)
    if (!dir_around(other_places[i], dirs) &&
        wi_temporary_folder(folder, other_places[i], "wasm-perf"))
      return true;
  return false;
}

bool cli_private_folder(wi_temporary *folder, const cli_list *dirs, cli_failure *failure) {
  const char *parent = cli_variable("TMPDIR");
  parent = parent ? parent : other_places[0];
  const char *dir = dir_around(parent, dirs);
  if (dir && make_elsewhere(folder, dirs))
    return true;
  if (!wi_temporary_folder(folder, parent, "wasm-perf"))
    return cli_fail(failure, parent, "%s", strerror(errno));
  if (dir)
    cli_message("wasm-perf: --dir %s gives the program access to the temporary folder of its "
                "profile; set TMPDIR to a folder outside",
                dir);
  return true;
}
