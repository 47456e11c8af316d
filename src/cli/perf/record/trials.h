/* The same Node program, run again and again under one set of circumstances. */
#ifndef WI_CLI_PERF_RECORD_TRIALS_H_
#define WI_CLI_PERF_RECORD_TRIALS_H_

#include "cli/perf/record/request.h"
#include "wasm_perf/profile.h"

/* Everything but what is said is borrowed. */
typedef struct cli_trials {
  char *const *words; /* the command, ended by NULL */
  const char *folder; /* private; what a run leaves there is gone before the next */
  const char *share_folder;
  char *input_path; /* owned: a copy of what a pipe gave; NULL: there is none */
  long input_start; /* where a file is read from; -1: it is none */
} cli_trials;

/*
 * Makes standard input one that each run reads from the same place; a terminal stays as it is.
 * False on failure, which it has told on stderr. Clear it in any case.
 */
bool cli_trials_init(cli_trials *trials, char *const *words, const char *folder,
                     const char *share_folder);
void cli_trials_clear(cli_trials *trials);

/*
 * Runs the program as cli_session_run does. *time becomes what it says itself that it ran, in
 * nanoseconds, and 0 where it said nothing.
 */
int cli_trials_run(const cli_trials *trials, const cli_request *request, wasm_perf_clock clock,
                   uint64_t *time, wasm_perf_profile **profile);

/*
 * Whether a run with that exit code is the last one: it could not be run, or somebody who wants no
 * more of it has ended it.
 */
bool cli_trials_are_over(int exit_code);

#endif /* WI_CLI_PERF_RECORD_TRIALS_H_ */
