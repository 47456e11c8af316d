/* wasm-perf run, sample and record: run a module, write a profile or a report. */
#ifndef WI_CLI_PERF_RECORD_RUN_H_
#define WI_CLI_PERF_RECORD_RUN_H_

#include "cli/common/options.h"
#include "cli/perf/record/request.h"

/* Executes the command line of `command`, one of the three. Returns the exit code. */
int cli_request_main(const cli_command *command, int argc, char **argv);

/*
 * Executes "record" and its arguments, but hands the profile to `take`, complete with names and
 * lines, and before it the measures of a command to `take_measure`, which may be NULL. May be called
 * several times. Returns the exit code.
 */
int cli_record_into(const cli_list *words, cli_profile_taker *take, cli_measure_taker *take_measure,
                    void *user);

#endif /* WI_CLI_PERF_RECORD_RUN_H_ */
