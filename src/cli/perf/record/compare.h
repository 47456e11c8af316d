/* wasm-perf record --compare: what profiling costs. */
#ifndef WI_CLI_PERF_RECORD_COMPARE_H_
#define WI_CLI_PERF_RECORD_COMPARE_H_

#include "cli/perf/record/request.h"
#include "wasm_perf/profile.h"

/*
 * As cli_session_run, after a run without a profiler that is silent and reads the same standard
 * input. How long both ran, by their own account, stands in the profile's facts.
 */
int cli_compare_run(const cli_request *request, wasm_perf_clock clock, char *const *words,
                    const char *folder, const char *share_folder, wasm_perf_profile **profile);

#endif /* WI_CLI_PERF_RECORD_COMPARE_H_ */
