#define _GNU_SOURCE /* program_invocation_short_name */

#include "cli/common/file.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "cli/common/read_all.h"
#include "support/clean.h"

enum { LINK_LIMIT = 40 };

/* ---- Reading ------------------------------------------------------------ */

bool wi_file_read(const char *path, uint8_t **bytes, size_t *size) {
  if (strcmp(path, "-") == 0)
    return wi_read_all(STDIN_FILENO, bytes, size);
  int file = open(path, O_RDONLY | O_CLOEXEC);
  if (file < 0)
    return false;
  bool done = wi_read_all(file, bytes, size);
  int saved = errno;
  close(file);
  errno = saved;
  return done;
}

/* The input that is mapped, for a signal handler; and what that says. */
static const wi_file_input *mapped_input;
static char changed_message[4096];

/* Bytes of a mapped file that are there no more, because somebody has truncated it. */
static void tell_of_change(int signal_number, siginfo_t *info, void *context) {
  (void)context;
  const uint8_t *address = info->si_addr;
  if (mapped_input && address >= mapped_input->bytes &&
      address < mapped_input->bytes + mapped_input->size) {
    wi_temporary_remove_all();
    ssize_t ignored = write(STDERR_FILENO, changed_message, strlen(changed_message));
    _exit(ignored < 0 ? 2 : EXIT_FAILURE);
  }
  signal(signal_number, SIG_DFL); /* and again, when this returns */
}

static void watch_input(const wi_file_input *input, const char *path) {
  char clean[sizeof changed_message - 128];
  wi_text_clean(path, strlen(path), clean, sizeof clean);
  snprintf(changed_message, sizeof changed_message, "%s: %s: it changed while it was read\n",
           program_invocation_short_name, clean);
  mapped_input = input;
  struct sigaction action = {.sa_sigaction = tell_of_change, .sa_flags = SA_SIGINFO};
  sigemptyset(&action.sa_mask);
  sigaction(SIGBUS, &action, NULL);
}

/* Maps a regular file that is not empty; false where `path` is something else. */
static bool map_file(wi_file_input *input, const char *path) {
  struct stat status;
  int file = open(path, O_RDONLY | O_CLOEXEC);
  if (file < 0)
    return false;
  void *bytes = MAP_FAILED;
  if (fstat(file, &status) == 0 && S_ISREG(status.st_mode) && status.st_size > 0)
    bytes = mmap(NULL, (size_t)status.st_size, PROT_READ,
                 MAP_PRIVATE | (status.st_size > WI_FILE_SIZE_LIMIT ? 0 : MAP_POPULATE), file, 0);
  if (bytes == MAP_FAILED) {
    close(file);
    return false;
  }
  *input = (wi_file_input){.bytes = bytes,
                           .size = (size_t)status.st_size,
                           .mapped = true,
                           .file = file,
                           .changed = status.st_mtim};
  watch_input(input, path);
  return true;
}

bool wi_file_input_open(wi_file_input *input, const char *path) {
  if (strcmp(path, "-") != 0 && map_file(input, path))
    return true;
  uint8_t *bytes;
  size_t size;
  if (!wi_file_read(path, &bytes, &size))
    return false;
  *input = (wi_file_input){.bytes = bytes, .size = size};
  return true;
}

bool wi_file_input_is_unchanged(const wi_file_input *input) {
  struct stat status;
  return !input->mapped ||
         (fstat(input->file, &status) == 0 && status.st_size == (off_t)input->size &&
          status.st_mtim.tv_sec == input->changed.tv_sec &&
          status.st_mtim.tv_nsec == input->changed.tv_nsec);
}

void wi_file_input_pass(wi_file_input *input, size_t size) {
  size_t page_size = (size_t)sysconf(_SC_PAGESIZE);
  size_t end = size / page_size * page_size;
  if (!input->mapped || end <= input->passed)
    return;
  madvise((void *)(input->bytes + input->passed), end - input->passed, MADV_DONTNEED);
  input->passed = end;
}

void wi_file_input_close(wi_file_input *input) {
  if (input->mapped) {
    mapped_input = NULL;
    munmap((void *)input->bytes, input->size);
    close(input->file);
  } else
    free((void *)input->bytes);
  *input = (wi_file_input){0};
}

/* ---- Writing ------------------------------------------------------------ */

/*
 * The mode of a file that is replaced, else what the process gives new files. Bits that lend the
 * owner's rights stay out: the new file may belong to another one.
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

/* Where a symbolic link leads that leads to nothing yet; NULL with errno set. */
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

/* Whether a file that exists may be replaced: not where nobody may write it, root either. */
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

/* Ends it; what is still temporary is not kept. errno stays. */
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

bool wi_file_write(const char *path, const uint8_t *bytes, size_t size) {
  wi_file_output output;
  if (!wi_file_output_open(&output, path))
    return false;
  return wi_file_output_close(&output, fwrite(bytes, 1, size, output.stream) == size);
}
