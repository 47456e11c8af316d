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

/* In the child: becomes the program, or tells `report` why not. */
static _Noreturn void become(const char *executable, char *const *words, pid_t parent, int report) {
  wi_cleanup_release_child();
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

int wi_process_run(const char *executable, char *const *words) {
  int report[2], error = 0;
  if (pipe2(report, O_CLOEXEC) < 0)
    return -1;
  pid_t parent = getpid();
  wi_cleanup_hold();
  pid_t child = fork();
  if (child == 0)
    become(executable, words, parent, report[1]);
  int saved = errno;
  if (child > 0)
    wi_cleanup_forward(child);
  wi_cleanup_release();
  close(report[1]);
  bool started = child > 0 && read(report[0], &error, sizeof error) == 0; /* exec closed it */
  close(report[0]);
  int exit_code = child > 0 ? wait_for(child) : -1;
  if (started)
    return exit_code;
  errno = child > 0 ? error : saved;
  return -1;
}
