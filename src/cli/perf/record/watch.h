/* Watches a running program of a session: snapshots, progress and --duration. */
#ifndef WI_CLI_PERF_RECORD_WATCH_H_
#define WI_CLI_PERF_RECORD_WATCH_H_

#include "cli/perf/record/request.h"
#include "wasm_perf/profile.h"

/* Makes SIGUSR1 request a snapshot instead of ending us. It is taken once a watch has begun. */
void cli_watch_listen(void);

/*
 * Until cli_watch_end, as the request says:
 * - sends the program SIGTERM when its time is up;
 * - shows progress on a terminal, with `warning` unless that is NULL;
 * - calls `write` at intervals, and after SIGUSR1, with the profile so far and a path for it:
 *   OUTPUT-1.svg and so on;
 * - serves profiles (live.h).
 * The program writes its parts of the profile into `folder`. The arguments are borrowed until
 * cli_watch_end. One watch at a time. If it cannot listen, it returns false, the request's
 * failure says why, and cli_watch_end must not be called.
 */
bool cli_watch_begin(const cli_request *request, const char *folder, const char *warning,
                     const char *output,
                     bool (*write)(void *user, wasm_perf_profile *profile, const char *output),
                     void *user);
void cli_watch_end(void);

/*
 * Shows `phase` on the terminal instead of counts; NULL shows counts again. Borrowed until the next
 * call or the end of the watch.
 */
void cli_watch_say(const char *phase);

/* Removes the progress line for good. The next message is printed in its place. */
void cli_watch_clear_line(void);

#endif /* WI_CLI_PERF_RECORD_WATCH_H_ */
