/*
 * Things that must not outlive the process, even if a signal ends it: temporary files and folders,
 * and a child process. Only SIGKILL leaves files and folders behind; the child dies even then
 * (process.h).
 */
#ifndef WI_CLI_COMMON_CLEANUP_H_
#define WI_CLI_COMMON_CLEANUP_H_

#include <stdbool.h>
#include <sys/types.h>

/*
 * A temporary file or folder with a unique name. It must not move in memory until it is removed or
 * kept, because signal handlers read it.
 */
typedef struct wi_temporary {
  char *path; /* owned; NULL: none */
  bool is_folder;
  struct wi_temporary *next;
} wi_temporary;

/*
 * Creates a file of mode 0600 beside `target`, with a name derived from it. Returns its descriptor,
 * which the caller closes; or -1 with errno set and nothing to remove.
 */
int wi_temporary_file(wi_temporary *temporary, const char *target);

/*
 * Creates the folder PARENT/PREFIX-XXXXXX, mode 0700. Returns false with errno set, nothing to
 * remove.
 */
bool wi_temporary_folder(wi_temporary *temporary, const char *parent, const char *prefix);

/* Renames the file to `target`. Returns false with errno set; the file is then still temporary. */
bool wi_temporary_keep(wi_temporary *temporary, const char *target);

/* Removes the file, or the folder with its files, if there is one. Preserves errno. */
void wi_temporary_remove(wi_temporary *temporary);

/* Removes all of them from the disk; for a signal handler that then ends the process. */
void wi_temporary_remove_all(void);

/*
 * Until called with 0, signals that would end this process are forwarded to `child`, which decides
 * how the run ends. Those sent by a terminal have already reached it. A second SIGINT ends both at
 * once, unless a process sends it within CLI_SAME_SIGNAL_MS. Call with signals held.
 */
void wi_cleanup_forward(pid_t child);

/*
 * Sets a file to which the number of a forwarded signal is written, in decimal, for a child that is
 * too busy to handle the signal itself. NULL: none. The path must outlive the child. While the file
 * exists with the suffix .handled, the program handles SIGINT itself, including a second one.
 */
void wi_cleanup_note_signals(const char *path);

/* The last signal forwarded to the last child, or 0. */
int wi_cleanup_noted_signal(void);

/* Ends the child as if this process had received SIGTERM. */
void wi_cleanup_stop(void);

/* Between these two calls, signals that end the process are not handled. They do not nest. */
void wi_cleanup_hold(void);
void wi_cleanup_release(void);

/* Resets the handling of signals in a child that was forked while signals were held. */
void wi_cleanup_release_child(void);

#endif /* WI_CLI_COMMON_CLEANUP_H_ */
