/* wasm-perf record --budget: hooks only where they are worth what they cost. */
#ifndef WI_CLI_PERF_RECORD_BUDGET_H_
#define WI_CLI_PERF_RECORD_BUDGET_H_

#include "cli/perf/record/request.h"
#include "wasm_perf/profile.h"

/*
 * Finds out which functions are worth their hooks and runs the program with those. It runs several
 * times: as it is, twice with hooks everywhere, and then with the chosen ones and as it is in turn,
 * for what that costs. Its streams are silent but in the last run, of which the rest tells, as with
 * cli_session_run; standard input is the same in each. The choice becomes a whitelist beside the
 * output, and what came of it stands in the profile's facts and on stderr.
 */
int cli_budget_run(const cli_request *request, wasm_perf_clock clock, char *const *words,
                   const char *folder, const char *share_folder, wasm_perf_profile **profile);

#endif /* WI_CLI_PERF_RECORD_BUDGET_H_ */
