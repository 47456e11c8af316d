/* wasm-perf record: runs a program, writes a report. */
#ifndef WI_CLI_PERF_RECORD_RUN_H_
#define WI_CLI_PERF_RECORD_RUN_H_

#include "cli/common/options.h"
#include "cli/perf/record/request.h"

/* Executes the command line. Returns the exit code. */
int cli_record_main(int argc, char **argv);

/*
 * Executes the command line of `words`, "record" and its arguments, for a caller that has set the
 * request's failure, streams and takers, and zeroed the rest. Clears the request. May be called
 * several times. Returns the exit code.
 */
int cli_record_run(cli_request *request, const cli_list *words);

#endif /* WI_CLI_PERF_RECORD_RUN_H_ */
