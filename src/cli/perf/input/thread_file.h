/*
 * A thread of a session, as js/node/thread_sampler.mjs writes it: V8's profiles one after another in
 * a file, each behind a line of JSON {"size", "next", "idle", "raw", "cpu", "compiling"}, and a file of
 * JSON that says what is needed to understand them {"name", "process", "number", "scope", "home", "samples",
 * "size", "modules": [{"file", "module", "moved", "runtime"}]}. `samples` and each `module` are names of
 * files beside it; `size` is how much of the former belongs to it. A module that is not shown has the
 * `file` "". `runtime` is true if the module is the linked form's runtime.
 */
#ifndef WI_CLI_PERF_INPUT_THREAD_FILE_H_
#define WI_CLI_PERF_INPUT_THREAD_FILE_H_

#include "cli/perf/common.h"
#include "cli/perf/input/ran_modules.h"
#include "wasm_perf/profile.h"

/*
 * Reads the thread described at `path` into a profile, see MODULES in format.h. A profile of V8
 * that is malformed is left out, with a warning on stderr. Returns NULL on failure; `failure`
 * says why (cli_fail). The caller frees the result.
 */
wasm_perf_profile *cli_thread_file_read(const char *path, cli_ran_modules *modules,
                                        cli_failure *failure);

#endif /* WI_CLI_PERF_INPUT_THREAD_FILE_H_ */
