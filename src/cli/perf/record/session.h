/* Node programs whose modules are profiled on their way to the engine, by js/node/register.mjs. */
#ifndef WI_CLI_PERF_RECORD_SESSION_H_
#define WI_CLI_PERF_RECORD_SESSION_H_

#include "cli/perf/record/request.h"
#include "wasm_perf/profile.h"

/*
 * Runs the command of these words so, ended by NULL, and waits for its end. Returns its exit code,
 * 128+n if signal n ended it; -1 where it could not be run, which it has printed on stderr. `clock`
 * is what modules are instrumented with, or the one that is already. `folder` is private,
 * `share_folder` has js/. *profile is what all of its threads and processes left, NULL where that
 * is nothing.
 */
int cli_session_run(const cli_request *request, wasm_perf_clock clock, char *const *words,
                    const char *folder, const char *share_folder, wasm_perf_profile **profile);

/*
 * Where a signal ended the program that ran last, and it was not sent on to it, prints that: of
 * NAME. Returns whether.
 */
bool cli_session_tell_signal(const char *name);

#endif /* WI_CLI_PERF_RECORD_SESSION_H_ */
