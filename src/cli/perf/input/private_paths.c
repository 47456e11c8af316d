#define _POSIX_C_SOURCE 200809L /* getcwd, strdup */

#include "cli/perf/input/private_paths.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "cli/perf/common.h"

typedef struct known_folders {
  char *current, *home; /* NULL: unknown; the former is owned */
} known_folders;

/* The part of the path below the folder, or NULL if it is not below it. */
static const char *below(const char *path, const char *folder) {
  size_t size = folder ? strlen(folder) : 0;
  bool is_below = size > 1 && strncmp(path, folder, size) == 0 && path[size] == '/';
  return is_below ? path + size + 1 : NULL;
}

/* The part below the home folder of anyone: debug information may come from another machine. */
static const char *below_any_home(const char *path) {
  static const char *const homes[] = {"/home/", "/Users/"};
  for (size_t i = 0; i < sizeof homes / sizeof *homes; i++)
    if (strncmp(path, homes[i], strlen(homes[i])) == 0) {
      const char *end = strchr(path + strlen(homes[i]), '/');
      return end ? end + 1 : NULL;
    }
  return below(path, "/root");
}

static const char *in_package(const char *path) {
  const char *found = NULL;
  for (const char *at = strstr(path, "/node_modules/"); at; at = strstr(at + 1, "/node_modules/"))
    found = at + 1;
  return found;
}

/* The shorter path, which the caller frees; NULL if it stays as it is. */
static char *shorten(const char *path, const known_folders *folders) {
  static const char scheme[] = "file://";
  const char *plain = path, *rest;
  if (strncmp(plain, scheme, sizeof scheme - 1) == 0)
    plain += sizeof scheme - 1;
  if (*plain != '/')
    return NULL;
  if ((rest = below(plain, folders->current)) || (rest = in_package(plain)))
    return cli_text("%s", rest);
  rest = below(plain, folders->home);
  if (rest || (rest = below_any_home(plain)))
    return cli_text("~/%s", rest);
  return NULL;
}

static void shorten_text(char **path, const known_folders *folders) {
  char *shorter = *path ? shorten(*path, folders) : NULL;
  if (!shorter)
    return;
  free(*path);
  *path = shorter;
}

void cli_private_paths_shorten(wasm_perf_profile *profile) {
  known_folders folders = {getcwd(NULL, 0), getenv("HOME")};
  for (uint32_t i = 0; i < profile->place_count; i++)
    shorten_text(&profile->places[i].file, &folders);
  for (uint32_t i = 0; i < profile->lines.file_count; i++)
    shorten_text(&profile->lines.files[i], &folders);
  shorten_text(&profile->facts.module, &folders);
  shorten_text(&profile->facts.command, &folders);
  free(folders.current);
}
