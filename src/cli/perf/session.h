/* Node programs whose modules are profiled on their way to the engine, by js/register.mjs. */
#ifndef WI_CLI_PERF_SESSION_H_
#define WI_CLI_PERF_SESSION_H_

#include "cli/perf/request.h"
#include "wasm_perf/profile.h"

/*
 * Runs the command of these words so, ended by NULL, and waits for its end. Returns its exit code,
 * 128+n if signal n ended it; -1 where it could not be run, which it has printed on stderr. `clock`
 * is what modules are instrumented with, or the one that is already. `folder` is private,
 * `share_folder` has js/. *profile is what all of its threads and processes left, NULL where that
 * is nothing.
 */
int cli_session_run(const cli_request *request, const char *clock, char *const *words,
                    const char *folder, const char *share_folder, wasm_perf_profile **profile);

/*
 * The profile of what threads and processes have left in `folder`; each instance of a module
 * `apart` if asked for. NULL on failure, which it has told on stderr. The caller frees it.
 */
wasm_perf_profile *cli_session_profile(const char *folder, bool apart);

/* When the newest part of it was written, in nanoseconds since 1970; 0: there is none. */
uint64_t cli_session_newest(const char *folder);

/*
 * How long the program that left its files in `folder` ran, as the longest of its threads and
 * processes says: from its first module on, and without what instrumenting took. Nanoseconds; 0:
 * nobody said.
 */
uint64_t cli_session_time(const char *folder);

#endif /* WI_CLI_PERF_SESSION_H_ */
