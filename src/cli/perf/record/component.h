/* Components: instruments them, runs them in wasmtime and reads the profiles they print. */
#ifndef WI_CLI_PERF_RECORD_COMPONENT_H_
#define WI_CLI_PERF_RECORD_COMPONENT_H_

#include "cli/perf/record/request.h"
#include "wasm_perf/profile.h"

/* Whether the file at `path` is a component. False also if it cannot be read. */
bool cli_is_component(const char *path);

/*
 * Runs the request's component; instruments it first unless it is instrumented, into the private `folder`. The
 * program inherits the streams. Returns its exit code, or -1 if it could not be run. *profile
 * covers all of its modules; the caller frees it. It is NULL if there is none. The
 * request's failure says why.
 */
int cli_component_run(const cli_request *request, const cli_engine *engine, const char *folder,
                      wasm_perf_profile **profile);

#endif /* WI_CLI_PERF_RECORD_COMPONENT_H_ */
