/* wasm-perf run, sample and record: a module in, a profile or a report out. */
#ifndef WI_CLI_PERF_RECORD_RUN_H_
#define WI_CLI_PERF_RECORD_RUN_H_

#include "cli/common/options.h"

/* Does what the command line of `command`, one of the three, asks for. Returns the exit code. */
int cli_request_main(const cli_command *command, int argc, char **argv);

#endif /* WI_CLI_PERF_RECORD_RUN_H_ */
