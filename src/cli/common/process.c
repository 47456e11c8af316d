#define _GNU_SOURCE /* pipe2 */

#include "cli/common/process.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <spawn.h>
#include <stdbool.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "cli/common/cleanup.h"
#include "cli/common/exit_codes.h"

/* A program's streams, and what reads from them. */
typedef struct streams {
  wi_process_streams ends;
  int from_errors; /* read end of the pipe whose write end is ends.errors, or -1 */
  wi_process_output *take;
  void *user;
} streams;

/* Makes the file the stream, which may be that file already. */
static void redirect(int file, int stream) {
  if (file != stream)
    dup2(file, stream);
}

/* Runs in the child: executes the program, or writes the errno to `report`. */
static _Noreturn void become(const char *executable, char *const *words, pid_t parent, int report,
                             const streams *to) {
  wi_cleanup_release_child();
  redirect(to->ends.input, STDIN_FILENO);
  redirect(to->ends.output, STDOUT_FILENO);
  redirect(to->ends.errors, STDERR_FILENO);
  /* The parent may have died before this call. */
  if (prctl(PR_SET_PDEATHSIG, SIGKILL) == 0 && getppid() != parent)
    _exit(CLI_EXIT_SIGNAL_BASE + SIGKILL);
  execv(executable, words);
  int error = errno;
  ssize_t written = write(report, &error, sizeof error);
  _exit(written == (ssize_t)sizeof error ? 126 : 127);
}

static void (*on_tick)(void *user);
static void *tick_user;

void wi_process_on_tick(void (*tick)(void *user), void *user) {
  on_tick = tick;
  tick_user = user;
}

enum { TICK_MS = 20 };

/* A descriptor that becomes readable when the child ends; -1 if the system has none. */
static int open_end(pid_t child) {
#ifdef SYS_pidfd_open
  return (int)syscall(SYS_pidfd_open, child, 0);
#else
  (void)child;
  return -1;
#endif
}

static void tick_until_end(pid_t child) {
  struct pollfd end = {.fd = open_end(child), .events = POLLIN}; /* poll ignores -1 */
  for (siginfo_t info = {0};;) {
    if (waitid(P_PID, (id_t)child, &info, WEXITED | WNOWAIT | WNOHANG) == 0 && info.si_pid != 0)
      break;
    on_tick(tick_user);
    poll(&end, 1, TICK_MS);
  }
  if (end.fd >= 0)
    close(end.fd);
}

static int ending_signal;

int wi_process_ending_signal(void) {
  return ending_signal;
}

/* Waits for the child's end. Signals are forwarded only while its process id is valid. */
static int wait_for(pid_t child) {
  siginfo_t info;
  if (on_tick)
    tick_until_end(child);
  while (waitid(P_PID, (id_t)child, &info, WEXITED | WNOWAIT) < 0 && errno == EINTR) {
  }
  wi_cleanup_forward(0);
  int status = 0;
  waitpid(child, &status, 0);
  int noted = wi_cleanup_noted_signal();
  ending_signal = WIFSIGNALED(status) && noted == 0 ? WTERMSIG(status) : 0;
  if (!WIFSIGNALED(status))
    return WEXITSTATUS(status);
  bool is_deaf =
      WTERMSIG(status) == SIGKILL && noted > 0; /* js/node/watcher.mjs killed it on behalf
                                                   of that signal */
  return CLI_EXIT_SIGNAL_BASE + (is_deaf ? noted : WTERMSIG(status));
}

/* Reads until the last write end of the pipe is closed. */
static void read_all(const streams *to) {
  uint8_t bytes[16384];
  for (;;) {
    ssize_t size = read(to->from_errors, bytes, sizeof bytes);
    if (size > 0)
      to->take(to->user, bytes, (size_t)size);
    else if (size == 0 || errno != EINTR)
      return;
  }
}

static int run(const char *executable, char *const *words, const streams *to) {
  int report[2], error = 0;
  if (pipe2(report, O_CLOEXEC) < 0)
    return -1;
  pid_t parent = getpid();
  wi_cleanup_hold();
  pid_t child = fork();
  if (child == 0)
    become(executable, words, parent, report[1], to);
  int saved = errno;
  if (child > 0)
    wi_cleanup_forward(child);
  wi_cleanup_release();
  close(report[1]);
  if (to->from_errors >= 0)
    close(to->ends.errors);
  bool started = child > 0 && read(report[0], &error, sizeof error) == 0; /* exec closed the pipe */
  close(report[0]);
  if (started && to->from_errors >= 0)
    read_all(to);
  int exit_code = child > 0 ? wait_for(child) : -1;
  if (started)
    return exit_code;
  errno = child > 0 ? error : saved;
  return -1;
}

static const streams ours = {.ends = {STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO},
                             .from_errors = -1};

int wi_process_run(const char *executable, char *const *words, const wi_process_streams *given) {
  streams to = ours;
  if (given)
    to.ends = *given;
  return run(executable, words, &to);
}

/* Preserves errno. */
static void close_quietly(int file) {
  int saved = errno;
  close(file);
  errno = saved;
}

int wi_process_run_reading(const char *executable, char *const *words, wi_process_output *take,
                           void *user) {
  int errors[2];
  if (pipe2(errors, O_CLOEXEC) < 0)
    return -1;
  streams to = ours;
  to.ends.errors = errors[1];
  to.from_errors = errors[0];
  to.take = take;
  to.user = user;
  int exit_code = run(executable, words, &to);
  close_quietly(errors[0]);
  return exit_code;
}

int wi_process_run_silently(const char *executable, char *const *words) {
  int nowhere = open("/dev/null", O_WRONLY | O_CLOEXEC);
  if (nowhere < 0)
    return -1;
  streams to = ours;
  to.ends.output = to.ends.errors = nowhere;
  int exit_code = run(executable, words, &to);
  close_quietly(nowhere);
  return exit_code;
}

extern char **environ;

bool wi_process_start(const char *executable, char *const *words) {
  posix_spawn_file_actions_t actions;
  posix_spawnattr_t attributes;
  pid_t child;
  int error = posix_spawn_file_actions_init(&actions);
  if (error == 0 && (error = posix_spawnattr_init(&attributes)) == 0) {
    posix_spawn_file_actions_addopen(&actions, STDIN_FILENO, "/dev/null", O_RDWR, 0);
    posix_spawn_file_actions_adddup2(&actions, STDIN_FILENO, STDOUT_FILENO);
    posix_spawn_file_actions_adddup2(&actions, STDIN_FILENO, STDERR_FILENO);
    posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETSID);
    error = posix_spawn(&child, executable, &actions, &attributes, words, environ);
    posix_spawnattr_destroy(&attributes);
    posix_spawn_file_actions_destroy(&actions);
  }
  errno = error;
  return error == 0;
}
