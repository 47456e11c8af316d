/* The files that threads and processes of a session write into its folder. */
#ifndef WI_CLI_PERF_RECORD_SESSION_FILES_H_
#define WI_CLI_PERF_RECORD_SESSION_FILES_H_

#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

#include "cli/perf/common.h"
#include "wasm_perf/profile.h"

/* Appends the paths of files in the folder whose names end with `end`, sorted. */
void cli_session_find_files(const char *folder, const char *end, cli_list *paths);

/* ---- Parts of the profile ------------------------------------------------- */

/* Whether the folder contains any parts. */
bool cli_session_has_parts(const char *folder);

/*
 * Joins the parts at `paths`, at least one, to a profile, with separate instances of modules if
 * `apart`. `before`, if not NULL, has a path for each part, and an existing file there is
 * subtracted. NULL on failure; here and below, `failure` says why (cli_fail). The caller frees it.
 */
wasm_perf_profile *cli_session_join(const cli_list *paths, const cli_list *before, bool apart,
                                    cli_failure *failure);

/*
 * Joins the parts in `folder` to a profile, with separate instances of modules if `apart`. NULL on
 * failure and if there are none. The caller frees it.
 */
wasm_perf_profile *cli_session_profile(const char *folder, bool apart, cli_failure *failure);

/* Saves the current parts under the number `mark` until they are unmarked. */
void cli_session_mark(const char *folder, unsigned mark);
void cli_session_unmark(const char *folder, unsigned mark);

/* Prints the names of modules of which no function was called. Call it at the end. */
void cli_session_warn_uncalled(const char *folder, const wasm_perf_profile *profile);

/* Like cli_session_profile, for what was added since cli_session_mark; all of it for mark 0. */
wasm_perf_profile *cli_session_difference(const char *folder, unsigned mark, bool apart,
                                          cli_failure *failure);

/*
 * The duration of the program in nanoseconds: that of its longest-running thread or process, from
 * its first module on, without the time for instrumenting. 0 if unknown.
 */
uint64_t cli_session_time(const char *folder);

/* ---- While it runs --------------------------------------------------------- */

/* Counts so far of a session's processes. */
typedef struct cli_session_counts {
  uint64_t call_count;
  uint64_t node_count;
  bool has_threads; /* whose calls and nodes are not included */
  unsigned age;     /* seconds since the earliest of the counts */
} cli_session_counts;

/* Asks processes for counts. They may delay the answer to save time, see js/node/recorder.mjs. */
void cli_session_ask_counts(const char *folder);

/* Adds up the latest counts. False if there are none yet. */
bool cli_session_counted(const char *folder, cli_session_counts *counts);

/* ---- Processes -------------------------------------------------------------- */

/*
 * A process that is still running and has not written its last parts, see js/node/presence.mjs.
 * 0 if there is none.
 */
pid_t cli_session_running_process(const char *folder);

/* A process that has written them and is not gone yet; 0 if there is none. */
pid_t cli_session_ending_process(const char *folder);

/*
 * A running process that has not answered snapshot `number`, see js/node/watcher.mjs; 0 if there is
 * none.
 */
pid_t cli_session_silent_process(const char *folder, unsigned number);

/* Removes the answers to snapshot `number`. */
void cli_session_forget_answers(const char *folder, unsigned number);

#endif /* WI_CLI_PERF_RECORD_SESSION_FILES_H_ */
