#define _GNU_SOURCE /* O_CLOEXEC, F_DUPFD_CLOEXEC */

#include "cli/perf/bench/quiet.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "names/label.h"

/* A redirection of one of our streams. */
typedef struct redirection {
  int fd, saved; /* -1: not redirected */
} redirection;

/* Redirects the stream to `file`, and closes that unless it is -1. False with errno set. */
static bool redirect(redirection *r, int fd, int file) {
  r->fd = fd;
  r->saved = file < 0 ? -1 : fcntl(fd, F_DUPFD_CLOEXEC, 3);
  bool done = file >= 0 && dup2(file, fd) >= 0;
  int error = errno;
  if (file >= 0)
    close(file);
  errno = error;
  return done;
}

static void restore(const redirection *r) {
  if (r->saved < 0)
    return;
  dup2(r->saved, r->fd);
  close(r->saved);
}

/* Prints the file from its start on stderr. */
static void print(FILE *messages) {
  char buffer[4096];
  size_t size;
  rewind(messages);
  while ((size = fread(buffer, 1, sizeof buffer, messages)) > 0)
    fwrite(buffer, 1, size, stderr);
}

/* Returns the exit code, or -1 with errno. */
static int run(const char *input, FILE *messages, cli_quiet_act *act, void *context) {
  redirection in = {.saved = -1}, out = {.saved = -1}, errors = {.saved = -1};
  int exit_code = -1;
  fflush(NULL);
  if (redirect(&in, STDIN_FILENO, open(input, O_RDONLY | O_CLOEXEC)) &&
      redirect(&out, STDOUT_FILENO, open("/dev/null", O_WRONLY | O_CLOEXEC)) &&
      redirect(&errors, STDERR_FILENO, dup(fileno(messages))))
    exit_code = act(context);
  int error = errno;
  fflush(NULL);
  restore(&errors);
  restore(&out);
  restore(&in);
  errno = error;
  return exit_code;
}

/*
 * The last of our own messages in the file, without our name; NULL if there is none. The program may
 * have printed what looks like one.
 */
static char *last_own_message(FILE *messages) {
  static const char name[] = "wasm-perf: ";
  char *line = NULL, *found = NULL;
  size_t capacity = 0;
  rewind(messages);
  while (getline(&line, &capacity, messages) > 0) {
    if (strncmp(line, name, sizeof name - 1) != 0)
      continue;
    line[strcspn(line, "\n")] = '\0';
    char label[WI_LABEL_MAX_SIZE + 1];
    wi_label_clean(label, line + sizeof name - 1, 0);
    free(found);
    found = cli_text("%s", label);
  }
  free(line);
  return found;
}

/* Why it failed with that exit code. */
static char *problem_of(int exit_code, FILE *messages) {
  char *message = exit_code == CLI_EXIT_FAILURE ? last_own_message(messages) : NULL;
  return message ? message : cli_text("it ended with exit code %d", exit_code);
}

char *cli_quietly(const char *input, cli_quiet_act *act, void *context) {
  FILE *messages = tmpfile();
  int exit_code = messages ? run(input ? input : "/dev/null", messages, act, context) : -1;
  int error = errno;
  if (messages && exit_code != 0)
    print(messages);
  char *problem = exit_code < 0   ? cli_text("it could not be run: %s", strerror(error))
                  : exit_code > 0 ? problem_of(exit_code, messages)
                                  : NULL;
  if (messages)
    fclose(messages);
  return problem;
}
