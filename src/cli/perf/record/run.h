/* wasm-perf run, sample and record: run a module, write a profile or a report. */
#ifndef WI_CLI_PERF_RECORD_RUN_H_
#define WI_CLI_PERF_RECORD_RUN_H_

#include "cli/common/options.h"

/* Executes the command line of `command`, one of the three. Returns the exit code. */
int cli_request_main(const cli_command *command, int argc, char **argv);

#endif /* WI_CLI_PERF_RECORD_RUN_H_ */
