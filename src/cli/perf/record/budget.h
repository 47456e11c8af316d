/* wasm-perf record --budget: hooks the functions that are worth the overhead. */
#ifndef WI_CLI_PERF_RECORD_BUDGET_H_
#define WI_CLI_PERF_RECORD_BUDGET_H_

#include "cli/perf/record/request.h"
#include "wasm_perf/profile.h"

/*
 * Chooses the functions that are worth their hooks and profiles the program with these. Runs it
 * several times: without hooks, with all hooks, then in turn with the chosen hooks and without
 * any, to measure their cost. Every run reads the same standard input; only the last one prints.
 * Parameters, exit code and *profile are as for cli_session_run, of the last run. Writes the
 * choice as a whitelist next to the output. The measured cost goes to the profile's facts and to
 * stderr.
 */
int cli_budget_run(const cli_request *request, wasm_perf_clock clock, char *const *words,
                   const char *folder, const char *share_folder, wasm_perf_profile **profile);

#endif /* WI_CLI_PERF_RECORD_BUDGET_H_ */
