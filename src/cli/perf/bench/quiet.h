/* Runs programs without their output. */
#ifndef WI_CLI_PERF_BENCH_QUIET_H_
#define WI_CLI_PERF_BENCH_QUIET_H_

#include "cli/perf/common.h"

/*
 * Calls `act` while our standard input is the file `input`, or has nothing to read if that is NULL,
 * and the output of everything that runs is discarded. Returns NULL if `act` returns 0, or what
 * happened; the caller frees that, and what was printed on stderr meanwhile is printed then.
 */
typedef int cli_quiet_act(void *context); /* returns an exit code; -1 with errno: it did not run */
char *cli_quietly(const char *input, cli_quiet_act *act, void *context);

#endif /* WI_CLI_PERF_BENCH_QUIET_H_ */
