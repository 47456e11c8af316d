#define _GNU_SOURCE /* pipe2 */

#include "cli/common/process.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdbool.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include "cli/common/cleanup.h"

/* In the child: becomes the program, or tells `report` why not. Its stderr is `errors`, if any. */
static _Noreturn void become(const char *executable, char *const *words, pid_t parent, int report,
                             int errors) {
  wi_cleanup_release_child();
  if (errors >= 0)
    dup2(errors, STDERR_FILENO);
  /* It may die before this is said. */
  if (prctl(PR_SET_PDEATHSIG, SIGKILL) == 0 && getppid() != parent)
    _exit(128 + SIGKILL);
  execv(executable, words);
  int error = errno;
  ssize_t written = write(report, &error, sizeof error);
  _exit(written == (ssize_t)sizeof error ? 126 : 127);
}

/* Waits for its end; signals go to it as long as its number is its own. */
static int wait_for(pid_t child) {
  siginfo_t info;
  while (waitid(P_PID, (id_t)child, &info, WEXITED | WNOWAIT) < 0 && errno == EINTR) {
  }
  wi_cleanup_forward(0);
  int status = 0;
  waitpid(child, &status, 0);
  return WIFSIGNALED(status) ? 128 + WTERMSIG(status) : WEXITSTATUS(status);
}

/* Until nobody has the other end of the pipe. */
static void read_all(int pipe, wi_process_output *take, void *user) {
  uint8_t bytes[16384];
  for (;;) {
    ssize_t size = read(pipe, bytes, sizeof bytes);
    if (size > 0)
      take(user, bytes, (size_t)size);
    else if (size == 0 || errno != EINTR)
      return;
  }
}

/* `errors` is a pipe for the program's stderr, or -1 twice. */
static int run(const char *executable, char *const *words, const int errors[2],
               wi_process_output *take, void *user) {
  int report[2], error = 0;
  if (pipe2(report, O_CLOEXEC) < 0)
    return -1;
  pid_t parent = getpid();
  wi_cleanup_hold();
  pid_t child = fork();
  if (child == 0)
    become(executable, words, parent, report[1], errors[1]);
  int saved = errno;
  if (child > 0)
    wi_cleanup_forward(child);
  wi_cleanup_release();
  close(report[1]);
  if (take)
    close(errors[1]);
  bool started = child > 0 && read(report[0], &error, sizeof error) == 0; /* exec closed it */
  close(report[0]);
  if (started && take)
    read_all(errors[0], take, user);
  int exit_code = child > 0 ? wait_for(child) : -1;
  if (started)
    return exit_code;
  errno = child > 0 ? error : saved;
  return -1;
}

int wi_process_run(const char *executable, char *const *words) {
  static const int none[2] = {-1, -1};
  return run(executable, words, none, NULL, NULL);
}

int wi_process_run_reading(const char *executable, char *const *words, wi_process_output *take,
                           void *user) {
  int errors[2];
  if (pipe2(errors, O_CLOEXEC) < 0)
    return -1;
  int exit_code = run(executable, words, errors, take, user);
  int saved = errno;
  close(errors[0]);
  errno = saved;
  return exit_code;
}
