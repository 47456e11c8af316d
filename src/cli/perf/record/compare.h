/* wasm-perf record --compare: measures the overhead of profiling. */
#ifndef WI_CLI_PERF_RECORD_COMPARE_H_
#define WI_CLI_PERF_RECORD_COMPARE_H_

#include "cli/perf/record/request.h"
#include "wasm_perf/profile.h"

/*
 * Like cli_session_run, after a silent run without a profiler that reads the same standard input.
 * Stores the duration of both runs, as the program's processes measured it, in the profile's facts.
 */
int cli_compare_run(const cli_request *request, wasm_perf_clock clock, char *const *words,
                    const char *folder, const char *share_folder, wasm_perf_profile **profile);

#endif /* WI_CLI_PERF_RECORD_COMPARE_H_ */
