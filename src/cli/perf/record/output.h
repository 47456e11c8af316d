/* Writes the profile of a run. */
#ifndef WI_CLI_PERF_RECORD_OUTPUT_H_
#define WI_CLI_PERF_RECORD_OUTPUT_H_

#include "cli/perf/record/request.h"
#include "wasm_perf/profile.h"

/* The path of -o, or one named after the module. The caller frees it. */
char *cli_output_path(const cli_request *request);

/*
 * The title of a report: the module, or the script and its module if it used a single one. The
 * caller frees it.
 */
char *cli_output_title(const cli_request *request, const wasm_perf_profile *profile);

/*
 * Whether the output can be written. Call it before the run, which may be long. The
 * request's failure says why not.
 */
bool cli_output_check(const cli_request *request);

/*
 * Writes `profile` to `path` in the request's format. A report changes the profile. False on
 * failure; `failure` says why (cli_fail).
 */
bool cli_output_write_to(const cli_request *request, wasm_perf_profile *profile, const char *path,
                         cli_failure *failure);

/*
 * Like cli_output_write_to, to cli_output_path; opens the report if --open was given. Or hands the
 * profile to request->take. The request's failure says why it failed.
 */
bool cli_output_write(const cli_request *request, wasm_perf_profile *profile);

#endif /* WI_CLI_PERF_RECORD_OUTPUT_H_ */
