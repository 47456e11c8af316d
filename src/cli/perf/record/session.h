/* Sessions: run JavaScript programs whose modules js/node/register.mjs instruments when loaded. */
#ifndef WI_CLI_PERF_RECORD_SESSION_H_
#define WI_CLI_PERF_RECORD_SESSION_H_

#include "cli/perf/record/request.h"
#include "wasm_perf/profile.h"

/*
 * Runs the command `words`, ended by NULL, in a session and waits for it and its children. Returns
 * its exit code, 128+n if signal n ended it, or -1 if it could not be run.
 * Modules are instrumented with `clock`, or already have it. `folder` is private; `share_folder`
 * contains js/. *profile covers all threads and processes; the caller frees it. It is NULL if there
 * is none. The request's failure says why.
 */
int cli_session_run(const cli_request *request, wasm_perf_clock clock, char *const *words,
                    const char *folder, const char *share_folder, wasm_perf_profile **profile);

/*
 * Prints a note about the program `name` if a signal that was not ours to forward ended the last
 * program. Returns whether it did.
 */
bool cli_session_tell_signal(const char *name);

#endif /* WI_CLI_PERF_RECORD_SESSION_H_ */
