/*
 * cli/common/file_system.h for a host in JavaScript. One open folder represents the whole file
 * system, and the host resolves each path as the user wrote it.
 */
#include "cli/common/file_system.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <wasi/api.h>

#define EVERYTHING 3 /* the folder's descriptor */

static const char suffix[] = ".unfinished";

/* ---- The host's files ----------------------------------------------------- */

static bool host(__wasi_errno_t failure) {
  errno = failure;
  return failure == 0;
}

/* Returns a descriptor, or -1 with errno set. */
static int open_path(const char *path, __wasi_oflags_t how, __wasi_rights_t rights) {
  __wasi_fd_t file;
  if (!host(__wasi_path_open(EVERYTHING, 0, path, how, rights, 0, 0, &file)))
    return -1;
  return (int)file;
}

static bool is_special(const char *path) {
  __wasi_filestat_t status;
  return __wasi_path_filestat_get(EVERYTHING, 0, path, &status) == 0 &&
         status.filetype != __WASI_FILETYPE_REGULAR_FILE;
}

int wi_file_open(const char *path) {
  return strcmp(path, "-") == 0 ? STDIN_FILENO : open_path(path, 0, __WASI_RIGHTS_FD_READ);
}

/* Returns the path unchanged, as the host resolves it. */
char *wi_file_absolute_path(const char *path) {
  return strdup(path);
}

int wi_file_open_regular(const char *path) {
  if (!is_special(path))
    return open_path(path, 0, __WASI_RIGHTS_FD_READ);
  errno = EINVAL;
  return -1;
}

/* ---- Writing -------------------------------------------------------------- */

/* The temporary path of a file that is being written; the caller frees it. */
static char *unfinished(const char *target) {
  size_t size = strlen(target);
  char *path = malloc(size + sizeof suffix);
  if (!path)
    return NULL;
  memcpy(path, target, size);
  memcpy(path + size, suffix, sizeof suffix);
  return path;
}

static bool open_stream(wi_file_output *output, const char *path) {
  int file = open_path(path, __WASI_OFLAGS_CREAT | __WASI_OFLAGS_TRUNC, __WASI_RIGHTS_FD_WRITE);
  if (file < 0)
    return false;
  output->stream = fdopen(file, "wb");
  if (!output->stream)
    close(file);
  return output->stream != NULL;
}

bool wi_file_output_open(wi_file_output *output, const char *path) {
  *output = (wi_file_output){0};
  if (strcmp(path, "-") == 0) {
    output->stream = stdout;
    return true;
  }
  if (is_special(path))
    return open_stream(output, path);
  output->target = strdup(path);
  char *first = unfinished(path);
  if (output->target && first && open_stream(output, first)) {
    free(first);
    return true;
  }
  free(first);
  free(output->target);
  return false;
}

bool wi_file_output_close(wi_file_output *output, bool done) {
  bool kept = fflush(output->stream) == 0 && !ferror(output->stream) && done;
  if (output->stream != stdout)
    kept = fclose(output->stream) == 0 && kept;
  char *first = output->target ? unfinished(output->target) : NULL;
  if (first && kept)
    kept = host(__wasi_path_rename(EVERYTHING, first, EVERYTHING, output->target));
  int saved = errno;
  if (first && !kept)
    (void)__wasi_path_unlink_file(EVERYTHING, first);
  free(first);
  free(output->target);
  *output = (wi_file_output){0};
  errno = saved;
  return kept;
}
