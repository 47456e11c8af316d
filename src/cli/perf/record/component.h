/* Components: instrumented, run by wasmtime, and their profiles read from what they print. */
#ifndef WI_CLI_PERF_RECORD_COMPONENT_H_
#define WI_CLI_PERF_RECORD_COMPONENT_H_

#include "cli/perf/record/request.h"
#include "wasm_perf/profile.h"

/* Whether the file at `path` is a component; false, too, where it cannot be read. */
bool cli_is_component(const char *path);

/*
 * Runs the component of the request, instrumented first where that is asked for, in the private
 * `folder`. Streams are the program's. Returns its exit code; -1 where it could not be run.
 * *profile is that of all of its modules, NULL where there is none; either is told on stderr.
 */
int cli_component_run(const cli_request *request, const cli_engine *engine, const char *folder,
                      wasm_perf_profile **profile);

#endif /* WI_CLI_PERF_RECORD_COMPONENT_H_ */
