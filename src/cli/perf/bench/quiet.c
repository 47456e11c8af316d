#define _GNU_SOURCE /* O_CLOEXEC, F_DUPFD_CLOEXEC */

#include "cli/perf/bench/quiet.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "cli/common/process.h"
#include "support/buffer.h"

/* A redirection of one of our streams while a program runs. */
typedef struct redirection {
  int fd, saved;
} redirection;

static bool redirect(redirection *r, int fd, const char *path, int flags) {
  int file = open(path, flags | O_CLOEXEC);
  r->fd = fd;
  r->saved = file < 0 ? -1 : fcntl(fd, F_DUPFD_CLOEXEC, 3);
  bool done = file >= 0 && dup2(file, fd) >= 0;
  if (file >= 0)
    close(file);
  return done;
}

static void restore(const redirection *r) {
  if (r->saved < 0)
    return;
  dup2(r->saved, r->fd);
  close(r->saved);
}

static void take_message(void *user, const uint8_t *bytes, size_t size) {
  wi_buffer_append(user, bytes, size);
}

/* Returns the program's exit code, or -1 with errno. */
static int run(const char *executable, char *const *words, const char *input, wi_buffer *messages) {
  redirection in = {.saved = -1}, out = {.saved = -1};
  fflush(stdout);
  int exit_code = -1;
  if (redirect(&in, STDIN_FILENO, input, O_RDONLY) &&
      redirect(&out, STDOUT_FILENO, "/dev/null", O_WRONLY))
    exit_code = wi_process_run_reading(executable, words, take_message, messages);
  int error = errno;
  restore(&out);
  restore(&in);
  errno = error;
  return exit_code;
}

char *cli_quiet_run(const char *executable, char *const *words, const char *input) {
  wi_buffer messages = {0};
  int exit_code = run(executable, words, input ? input : "/dev/null", &messages);
  int error = errno;
  if (exit_code != 0 && messages.size > 0)
    fwrite(messages.data, 1, messages.size, stderr);
  wi_buffer_clear(&messages);
  if (exit_code == 0)
    return NULL;
  return exit_code < 0 ? cli_text("it could not be run: %s", strerror(error))
                       : cli_text("it ended with exit code %d", exit_code);
}
