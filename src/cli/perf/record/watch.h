/* What happens while a program of a session runs: snapshots of its profile, and an end in time. */
#ifndef WI_CLI_PERF_RECORD_WATCH_H_
#define WI_CLI_PERF_RECORD_WATCH_H_

#include "cli/perf/record/request.h"
#include "wasm_perf/profile.h"

/* From now on SIGUSR1 does not end us: it asks for a snapshot, which waits for a watch to begin. */
void cli_watch_listen(void);

/*
 * From now until cli_watch_end: where the request says so, the program is sent SIGTERM when its
 * time is over, a terminal shows how far it is, with `warning` if that is not NULL, every so often
 * `write` is given the profile as it is by then, with the path of its file, OUTPUT-1.svg and so on,
 * and profiles are served (live.h). SIGUSR1 asks for one more file. The program writes its part of
 * it into `folder`. The arguments are borrowed until then; one watch at a time. False where it
 * cannot listen, which it has printed on stderr; there is nothing to end.
 */
bool cli_watch_begin(const cli_request *request, const char *folder, const char *warning,
                     const char *output,
                     bool (*write)(void *user, wasm_perf_profile *profile, const char *output),
                     void *user);
void cli_watch_end(void);

/*
 * What a terminal is shown from now on instead of how far the program is; NULL: that again. It is
 * borrowed until the next call, or the end of the watch.
 */
void cli_watch_say(const char *phase);

/* Takes that off the terminal for good: what is said next stands in its place. */
void cli_watch_hush(void);

#endif /* WI_CLI_PERF_RECORD_WATCH_H_ */
