/* What the threads and processes of a session leave in its folder, while they run and after. */
#ifndef WI_CLI_PERF_RECORD_SESSION_FILES_H_
#define WI_CLI_PERF_RECORD_SESSION_FILES_H_

#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

#include "wasm_perf/profile.h"

/* ---- Parts of the profile ------------------------------------------------- */

/* Whether there are any. */
bool cli_session_has_parts(const char *folder);

/*
 * The profile of what threads and processes have left in `folder`; each instance of a module
 * `apart` if asked for. NULL on failure, which it has told on stderr. The caller frees it.
 */
wasm_perf_profile *cli_session_profile(const char *folder, bool apart);

/* Keeps the parts as they are now, under a number of the caller's, until they are unmarked. */
void cli_session_mark(const char *folder, unsigned mark);
void cli_session_unmark(const char *folder, unsigned mark);

/* At the end, where the profile has no calls: names the modules that were there. */
void cli_session_tell_uncalled(const char *folder, const wasm_perf_profile *profile);

/* As cli_session_profile: what came since then, part by part; of mark 0 everything. */
wasm_perf_profile *cli_session_difference(const char *folder, unsigned mark, bool apart);

/*
 * How long the program that left its files in `folder` ran, as the longest of its threads and
 * processes says: from its first module on, and without what instrumenting took. Nanoseconds; 0:
 * nobody said.
 */
uint64_t cli_session_time(const char *folder);

/* ---- While it runs --------------------------------------------------------- */

/* What the processes of a session have counted so far. */
typedef struct cli_session_counts {
  uint64_t call_count;
  uint64_t node_count;
  bool has_threads; /* which are not counted */
} cli_session_counts;

/* Has each process count, now or when that is worth its time, see js/node/recorder.mjs. */
void cli_session_ask_counts(const char *folder);

/* What they last said, added up. False: nobody has yet. */
bool cli_session_counted(const char *folder, cli_session_counts *counts);

/* ---- Processes -------------------------------------------------------------- */

/* One that has neither written its last parts, see js/node/presence.mjs, nor died; 0: there is
 * none. */
pid_t cli_session_running_process(const char *folder);

/* One of those that has not answered the snapshot of that number, see js/node/watcher.mjs; 0:
 * none. */
pid_t cli_session_silent_process(const char *folder, unsigned number);

/* Removes the answers to it. */
void cli_session_forget_answers(const char *folder, unsigned number);

#endif /* WI_CLI_PERF_RECORD_SESSION_FILES_H_ */
