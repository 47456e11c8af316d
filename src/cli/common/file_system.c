#define _GNU_SOURCE /* realpath, O_CLOEXEC */

#include "cli/common/file_system.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { LINK_LIMIT = 40 };

int wi_file_open(const char *path) {
  return strcmp(path, "-") == 0 ? STDIN_FILENO : open(path, O_RDONLY | O_CLOEXEC);
}

char *wi_file_absolute_path(const char *path) {
  return realpath(path, NULL);
}

/* O_NONBLOCK: does not wait for the other end of a pipe. */
int wi_file_open_regular(const char *path) {
  struct stat status;
  int file = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY);
  if (file < 0 || (fstat(file, &status) == 0 && S_ISREG(status.st_mode)))
    return file;
  close(file);
  errno = EINVAL;
  return -1;
}

/* ---- Writing ------------------------------------------------------------ */

/*
 * The mode of the replaced file, or the process's default for new files. Excludes set-user-ID and
 * similar bits, because the new file may have another owner.
 */
static mode_t mode_for(const char *path) {
  struct stat status;
  if (stat(path, &status) == 0)
    return status.st_mode & 0777;
  mode_t mask = umask(0);
  umask(mask);
  return 0666 & ~mask;
}

static bool is_special(const char *path) {
  struct stat status;
  return stat(path, &status) == 0 && !S_ISREG(status.st_mode);
}

/* The target of a symbolic link that points to nothing yet; NULL with errno set. */
static char *follow_link(const char *path, unsigned depth) {
  char link[4096];
  ssize_t size = readlink(path, link, sizeof link - 1);
  if (size < 0)
    return errno == EINVAL || errno == ENOENT ? strdup(path) : NULL;
  link[size] = '\0';
  const char *slash = link[0] == '/' ? NULL : strrchr(path, '/');
  size_t folder_size = slash ? (size_t)(slash - path) + 1 : 0;
  char *target = malloc(folder_size + (size_t)size + 1);
  if (!target)
    return NULL;
  memcpy(target, path, folder_size);
  memcpy(target + folder_size, link, (size_t)size + 1);
  char *end = depth < LINK_LIMIT ? follow_link(target, depth + 1) : NULL;
  free(target);
  return end;
}

/*
 * Whether an existing file may be replaced: not if nobody may write it, which holds for root, too.
 */
static bool may_replace(const char *path) {
  struct stat status;
  if (stat(path, &status) != 0)
    return true;
  if ((status.st_mode & 0222) == 0) {
    errno = EACCES;
    return false;
  }
  return access(path, W_OK) == 0;
}

static bool open_temporary(wi_file_output *output, const char *path) {
  output->target = realpath(path, NULL);
  if (!output->target)
    output->target = follow_link(path, 0);
  if (!output->target || !may_replace(output->target))
    return false;
  int file = wi_temporary_file(&output->temporary, output->target);
  if (file < 0)
    return false;
  output->stream = fdopen(file, "wb");
  if (output->stream && fchmod(file, mode_for(output->target)) == 0)
    return true;
  if (!output->stream)
    close(file);
  return false;
}

/* Closes everything; a temporary file is removed. Preserves errno. */
static void discard(wi_file_output *output) {
  int saved = errno;
  if (output->stream && output->stream != stdout)
    fclose(output->stream);
  wi_temporary_remove(&output->temporary);
  free(output->target);
  *output = (wi_file_output){0};
  errno = saved;
}

bool wi_file_output_open(wi_file_output *output, const char *path) {
  *output = (wi_file_output){0};
  if (strcmp(path, "-") == 0) {
    output->stream = stdout;
    return true;
  }
  if (is_special(path)) {
    output->stream = fopen(path, "wb");
    return output->stream != NULL;
  }
  if (open_temporary(output, path))
    return true;
  discard(output);
  return false;
}

bool wi_file_output_close(wi_file_output *output, bool done) {
  FILE *stream = output->stream;
  bool flushed = fflush(stream) == 0 && !ferror(stream);
  if (!done || !flushed) {
    discard(output);
    return false;
  }
  output->stream = NULL;
  bool kept = stream == stdout || fclose(stream) == 0;
  if (kept && output->target)
    kept = wi_temporary_keep(&output->temporary, output->target);
  discard(output);
  return kept;
}
