/* Runs the same Node.js program several times under the same conditions. */
#ifndef WI_CLI_PERF_RECORD_TRIALS_H_
#define WI_CLI_PERF_RECORD_TRIALS_H_

#include "cli/perf/record/request.h"
#include "wasm_perf/profile.h"

/* Everything is borrowed unless it says otherwise. */
typedef struct cli_trials {
  char *const *words; /* the command, ended by NULL */
  const char *folder; /* private; cleared before each run */
  const char *share_folder;
  char *input_path; /* of a copy of standard input if that is a pipe; owned; else NULL */
  long input_start; /* offset in standard input; -1 if it cannot be sought */
} cli_trials;

/*
 * Prepares standard input so that every run reads it from the same offset: a pipe is copied to a
 * file; a terminal stays as it is. False on failure; `failure` says why (cli_fail). Clear it in
 * any case.
 */
bool cli_trials_init(cli_trials *trials, char *const *words, const char *folder,
                     const char *share_folder, cli_failure *failure);
void cli_trials_clear(cli_trials *trials);

/*
 * Runs the program with cli_session_run. Sets *time to its duration as cli_session_time has it, in
 * nanoseconds, or 0 if unknown.
 */
int cli_trials_run(const cli_trials *trials, const cli_request *request, wasm_perf_clock clock,
                   uint64_t *time, wasm_perf_profile **profile);

/*
 * Whether no more runs should follow one with that exit code: the program could not be run, or the
 * user stopped it.
 */
bool cli_trials_are_over(int exit_code);

#endif /* WI_CLI_PERF_RECORD_TRIALS_H_ */
