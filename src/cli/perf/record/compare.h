/* wasm-perf record --compare: measures the overhead of profiling. */
#ifndef WI_CLI_PERF_RECORD_COMPARE_H_
#define WI_CLI_PERF_RECORD_COMPARE_H_

#include "cli/perf/record/request.h"
#include "wasm_perf/profile.h"

/*
 * Like cli_session_run, after silent runs with and without the profiler that read the same standard
 * input (cli_slowdown_measure). Stores their durations, as the program's processes measured them,
 * in the profile's facts.
 */
int cli_compare_run(const cli_request *request, wasm_perf_clock clock, char *const *words,
                    const char *folder, const char *share_folder, wasm_perf_profile **profile);

#endif /* WI_CLI_PERF_RECORD_COMPARE_H_ */
