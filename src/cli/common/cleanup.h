/*
 * What must not outlive the process, even where a signal ends it: temporary files and folders, and
 * a child. SIGKILL alone leaves files and folders behind; a child dies with it (process.h).
 */
#ifndef WI_CLI_COMMON_CLEANUP_H_
#define WI_CLI_COMMON_CLEANUP_H_

#include <stdbool.h>
#include <sys/types.h>

/*
 * A file or a folder of ours with a name that nothing had before. It stays where it is in memory
 * until it is removed or kept: signal handlers look at it.
 */
typedef struct wi_temporary {
  char *path; /* owned; NULL: there is none */
  bool is_folder;
  struct wi_temporary *next;
} wi_temporary;

/*
 * Makes a file of mode 0600 beside `target`, named after it. Returns its descriptor, which is for
 * the caller to close, or -1 with errno set and nothing to remove.
 */
int wi_temporary_file(wi_temporary *temporary, const char *target);

/* Makes the folder PARENT/PREFIX-XXXXXX of mode 0700. False with errno set, nothing to remove. */
bool wi_temporary_folder(wi_temporary *temporary, const char *parent, const char *prefix);

/* Gives a file its name for good. False with errno set: it is still temporary. */
bool wi_temporary_keep(wi_temporary *temporary, const char *target);

/* Removes it, a folder with the files in it. Where there is none, nothing happens; errno stays. */
void wi_temporary_remove(wi_temporary *temporary);

/* Removes all of them from the disk, for a signal handler that then ends the process. */
void wi_temporary_remove_all(void);

/*
 * From now until a call with 0, signals that would end this process are sent on to `child`, which
 * decides how the run ends; those of a terminal have reached it already. A second SIGINT ends both
 * at once. Call it with signals held.
 */
void wi_cleanup_forward(pid_t child);

/*
 * Where a file appears with the number of a signal that is sent on so, in decimal; for a child that
 * is too busy to be told by the signal itself. NULL: nowhere. The path must outlive the child.
 * While there is a file of that name with .handled, the program does something about SIGINT itself,
 * and a second one is its own business, too.
 */
void wi_cleanup_note_signals(const char *path);

/* The last signal that was sent on to the last child, or 0. */
int wi_cleanup_noted_signal(void);

/* Ends the child as SIGTERM to this process would. */
void wi_cleanup_stop(void);

/* No signal that ends the process is handled between these two. They do not nest. */
void wi_cleanup_hold(void);
void wi_cleanup_release(void);

/* In a child that was forked while signals were held: they do to it what they do to a new
 * program. */
void wi_cleanup_release_child(void);

#endif /* WI_CLI_COMMON_CLEANUP_H_ */
