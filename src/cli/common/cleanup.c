#define _GNU_SOURCE /* syscall, mkdtemp, O_DIRECTORY */

#include "cli/common/cleanup.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#include "cli/common/session_names.h"

static const int ending_signals[] = {SIGHUP, SIGINT, SIGQUIT, SIGPIPE, SIGTERM, SIGXCPU};
#define ENDING_SIGNAL_COUNT (sizeof ending_signals / sizeof *ending_signals)

static wi_temporary *temporaries; /* newest first; only changed while signals are held */
static volatile sig_atomic_t forward_to;
static const char *volatile note_path;
static char *volatile handled_path;         /* owned; see cleanup.h */
static volatile sig_atomic_t interrupts[2]; /* sent to the child: by other processes, by a
                                               terminal */
static volatile sig_atomic_t noted_signal;  /* 0: no signal was forwarded */
static volatile int64_t noted_at;           /* when its first one was, in milliseconds */
static sigset_t mask_before_hold;

/* ---- Removal, async-signal-safe ------------------------------------------- */

/*
 * As returned by Linux's getdents64. readdir allocates memory, which a signal handler must not do.
 */
typedef struct directory_entry {
  ino64_t inode;
  off64_t offset;
  unsigned short size;
  unsigned char type;
  char name[];
} directory_entry;

/*
 * Removes the files of a folder. Subfolders would remain, and with them the folder; ours have none.
 */
static void empty_folder(const char *path) {
  int folder = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  if (folder < 0)
    return;
  _Alignas(directory_entry) char entries[4096];
  long size;
  while ((size = syscall(SYS_getdents64, folder, entries, sizeof entries)) > 0) {
    for (long at = 0; at < size;) {
      const directory_entry *entry = (const directory_entry *)(entries + at);
      unlinkat(folder, entry->name, 0); /* fails for "." and ".." */
      at += entry->size;
    }
  }
  close(folder);
}

static void remove_from_disk(const wi_temporary *temporary) {
  if (!temporary->is_folder) {
    unlink(temporary->path);
    return;
  }
  empty_folder(temporary->path);
  rmdir(temporary->path);
}

void wi_temporary_remove_all(void) {
  for (const wi_temporary *t = temporaries; t; t = t->next)
    remove_from_disk(t);
}

/* ---- Signals --------------------------------------------------------------- */

static int64_t milliseconds(void) {
  struct timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  return (int64_t)now.tv_sec * 1000 + now.tv_nsec / 1000000;
}

/* `is_for_all`: only the child got the signal, which is meant for all processes of the program. */
static void note_signal(int number, bool is_for_all) {
  if (noted_signal != number)
    noted_at = milliseconds();
  noted_signal = number;
  int file = note_path ? open(note_path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0600) : -1;
  if (file < 0)
    return;
  const char text[] = {'-', (char)('0' + number / 10 % 10), (char)('0' + number % 10)};
  ssize_t written = write(file, text + !is_for_all, sizeof text - !is_for_all);
  (void)written; /* an empty note stands for SIGTERM */
  close(file);
}

/* Whether a process sends again what was forwarded a moment ago. */
static bool is_repetition(int signal_number, bool from_terminal) {
  return !from_terminal && signal_number == noted_signal &&
         milliseconds() - noted_at < CLI_SAME_SIGNAL_MS;
}

/*
 * Whether to end everything at once. Wrappers such as npm forward signals that the terminal has
 * already sent, so those are counted separately.
 */
static bool is_second_interrupt(int signal_number, bool from_terminal) {
  if (signal_number != SIGINT || interrupts[from_terminal]++ == 0)
    return false;
  return !handled_path || access(handled_path, F_OK) != 0;
}

static void end_process(int signal_number, siginfo_t *info, void *context) {
  (void)context;
  int saved = errno;
  bool from_terminal = info->si_code == SI_KERNEL;
  bool is_repeated = is_repetition(signal_number, from_terminal);
  if (forward_to > 0 && (is_repeated || !is_second_interrupt(signal_number, from_terminal))) {
    if (!from_terminal)
      kill((pid_t)forward_to, signal_number);
    note_signal(signal_number, false);
    errno = saved;
    return;
  }
  if (is_repeated) /* of what has ended the child */
    return;
  if (forward_to > 0)
    kill((pid_t)forward_to, SIGKILL);
  wi_temporary_remove_all();
  signal(signal_number, SIG_DFL);
  raise(signal_number); /* takes effect when the handler returns */
}

void wi_cleanup_stop(void) {
  if (forward_to <= 0)
    return;
  kill((pid_t)forward_to, SIGTERM);
  note_signal(SIGTERM, true);
}

/* Makes write fail if a file grows too large, as on a full disk. */
static void let_write_fail(int signal_number) {
  (void)signal_number;
}

/*
 * Installs the handlers, except for ignored signals: children must inherit that. exec resets
 * handlers.
 */
static void catch_signals(void) {
  static bool caught;
  if (caught)
    return;
  caught = true;
  struct sigaction old, action = {.sa_sigaction = end_process, .sa_flags = SA_RESTART | SA_SIGINFO};
  sigemptyset(&action.sa_mask);
  for (size_t i = 0; i < ENDING_SIGNAL_COUNT; i++)
    sigaddset(&action.sa_mask, ending_signals[i]);
  for (size_t i = 0; i < ENDING_SIGNAL_COUNT; i++)
    if (sigaction(ending_signals[i], NULL, &old) == 0 && old.sa_handler != SIG_IGN)
      sigaction(ending_signals[i], &action, NULL);
  if (sigaction(SIGXFSZ, NULL, &old) == 0 && old.sa_handler != SIG_IGN)
    signal(SIGXFSZ, let_write_fail);
}

void wi_cleanup_hold(void) {
  sigset_t set;
  sigemptyset(&set);
  for (size_t i = 0; i < ENDING_SIGNAL_COUNT; i++)
    sigaddset(&set, ending_signals[i]);
  sigprocmask(SIG_BLOCK, &set, &mask_before_hold);
  catch_signals();
}

void wi_cleanup_release(void) {
  sigprocmask(SIG_SETMASK, &mask_before_hold, NULL);
}

/*
 * The handlers apply to the parent only. Signals that arrived since the fork are meant for the
 * program.
 */
void wi_cleanup_release_child(void) {
  for (size_t i = 0; i < ENDING_SIGNAL_COUNT; i++) {
    struct sigaction action;
    if (sigaction(ending_signals[i], NULL, &action) == 0 && action.sa_handler != SIG_IGN)
      signal(ending_signals[i], SIG_DFL);
  }
  wi_cleanup_release();
}

void wi_cleanup_note_signals(const char *path) {
  size_t size = path ? strlen(path) + sizeof CLI_SESSION_HANDLED : 0;
  char *before = handled_path, *handled = path ? malloc(size) : NULL;
  if (handled)
    snprintf(handled, size, "%s" CLI_SESSION_HANDLED, path);
  handled_path = handled;
  note_path = path;
  free(before);
}

int wi_cleanup_noted_signal(void) {
  return noted_signal;
}

void wi_cleanup_forward(pid_t child) {
  if (child > 0)
    noted_signal = interrupts[0] = interrupts[1] = 0;
  forward_to = (sig_atomic_t)child;
}

/* ---- Temporary files and folders ------------------------------------------- */

static void list_add(wi_temporary *temporary) {
  temporary->next = temporaries;
  temporaries = temporary;
}

static void list_remove(wi_temporary *temporary) {
  wi_temporary **link = &temporaries;
  while (*link != temporary)
    link = &(*link)->next;
  *link = temporary->next;
}

/* Adds `path` to the list if it was created; otherwise frees it. Preserves errno. */
static bool enter(wi_temporary *temporary, char *path, bool is_folder, bool made) {
  int saved = errno;
  *temporary = (wi_temporary){made ? path : NULL, is_folder, NULL};
  if (made)
    list_add(temporary);
  else
    free(path);
  errno = saved;
  return made;
}

/* The length of the path to keep so that a suffix fits into the limit of a file name. */
static size_t size_beside(const char *path, size_t suffix_size) {
  const char *slash = strrchr(path, '/');
  const char *name = slash ? slash + 1 : path;
  size_t size = strlen(name);
  if (size + suffix_size > NAME_MAX)
    size = NAME_MAX - suffix_size;
  while (size > 0 && (name[size] & 0xC0) == 0x80) /* do not split a character */
    size--;
  return (size_t)(name - path) + size;
}

int wi_temporary_file(wi_temporary *temporary, const char *target) {
  static const char suffix[] = ".XXXXXX";
  size_t size = size_beside(target, strlen(suffix));
  char *path = malloc(size + sizeof suffix);
  if (!path)
    return -1;
  memcpy(path, target, size);
  memcpy(path + size, suffix, sizeof suffix);
  wi_cleanup_hold();
  int file = mkostemp(path, O_CLOEXEC);
  enter(temporary, path, false, file >= 0);
  wi_cleanup_release();
  return file;
}

bool wi_temporary_folder(wi_temporary *temporary, const char *parent, const char *prefix) {
  static const char format[] = "%s/%s-XXXXXX";
  size_t size = strlen(parent) + strlen(prefix) + sizeof format;
  char *path = malloc(size);
  if (!path)
    return false;
  snprintf(path, size, format, parent, prefix);
  wi_cleanup_hold();
  bool made = enter(temporary, path, true, mkdtemp(path) != NULL);
  wi_cleanup_release();
  return made;
}

static void forget(wi_temporary *temporary) {
  list_remove(temporary);
  free(temporary->path);
  *temporary = (wi_temporary){0};
}

bool wi_temporary_keep(wi_temporary *temporary, const char *target) {
  wi_cleanup_hold();
  bool renamed = rename(temporary->path, target) == 0;
  if (renamed)
    forget(temporary);
  wi_cleanup_release();
  return renamed;
}

void wi_temporary_remove(wi_temporary *temporary) {
  if (!temporary->path)
    return;
  int saved = errno;
  wi_cleanup_hold();
  remove_from_disk(temporary);
  forget(temporary);
  wi_cleanup_release();
  errno = saved;
}
