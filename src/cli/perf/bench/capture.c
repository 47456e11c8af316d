#define _POSIX_C_SOURCE 200809L /* O_CLOEXEC */

#include "cli/perf/bench/capture.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "cli/common/message.h"
#include "names/label.h"

static void close_all(const cli_capture *capture) {
  int saved = errno;
  if (capture->streams.input >= 0)
    close(capture->streams.input);
  if (capture->streams.output >= 0)
    close(capture->streams.output);
  if (capture->messages)
    fclose(capture->messages);
  errno = saved;
}

bool cli_capture_begin(cli_capture *capture, const char *input) {
  *capture = (cli_capture){.messages = tmpfile()};
  capture->streams.input = open(input ? input : "/dev/null", O_RDONLY | O_CLOEXEC);
  capture->streams.output = open("/dev/null", O_WRONLY | O_CLOEXEC);
  if (!capture->messages || capture->streams.input < 0 || capture->streams.output < 0) {
    close_all(capture);
    return false;
  }
  capture->streams.errors = fileno(capture->messages);
  setbuf(capture->messages, NULL); /* the program writes to it as well */
  capture->before = cli_messages_to(capture->messages);
  return true;
}

/* Prints the file from its start on stderr. */
static void print(FILE *messages) {
  char buffer[4096];
  size_t size;
  rewind(messages);
  while ((size = fread(buffer, 1, sizeof buffer, messages)) > 0)
    fwrite(buffer, 1, size, stderr);
}

char *cli_problem_take(cli_failure *failure) {
  char label[WI_LABEL_MAX_SIZE + 1];
  wi_label_clean(label, failure->reason, 0);
  cli_failure_clear(failure);
  return cli_text("%s", label);
}

/* The reason is why we failed, unless the program chose another exit code. */
static char *problem_of(int exit_code, cli_failure *failure) {
  if (exit_code < 0)
    return cli_text("it could not be run: %s", strerror(errno));
  if (exit_code != CLI_EXIT_FAILURE || !failure->reason)
    return cli_text("it ended with exit code %d", exit_code);
  return cli_problem_take(failure);
}

char *cli_capture_end(cli_capture *capture, int exit_code, cli_failure *failure) {
  char *problem = exit_code == 0 ? NULL : problem_of(exit_code, failure);
  cli_messages_to(capture->before);
  cli_failure_clear(failure);
  if (problem)
    print(capture->messages);
  close_all(capture);
  return problem;
}
