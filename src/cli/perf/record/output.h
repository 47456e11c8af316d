/* Where the profile of a run goes, and how. */
#ifndef WI_CLI_PERF_RECORD_OUTPUT_H_
#define WI_CLI_PERF_RECORD_OUTPUT_H_

#include "cli/perf/record/request.h"
#include "wasm_perf/profile.h"

/* The file that was asked for, or one named after the module. The caller frees it. */
char *cli_output_path(const cli_request *request);

/*
 * What a report of the run is called: its module, or its script, with the module where that used
 * one. The caller frees it.
 */
char *cli_output_title(const cli_request *request, const wasm_perf_profile *profile);

/*
 * Whether it can be written: to be asked before a run that may be long. False where not, which it
 * has printed on stderr.
 */
bool cli_output_check(const cli_request *request);

/*
 * Writes `profile`, which it changes for a report, to `path` as was asked for. False on failure,
 * which it has printed on stderr.
 */
bool cli_output_write_to(const cli_request *request, wasm_perf_profile *profile, const char *path);

/* The same to cli_output_path. */
bool cli_output_write(const cli_request *request, wasm_perf_profile *profile);

#endif /* WI_CLI_PERF_RECORD_OUTPUT_H_ */
