/* Runs programs without their output. */
#ifndef WI_CLI_PERF_BENCH_QUIET_H_
#define WI_CLI_PERF_BENCH_QUIET_H_

#include "cli/perf/common.h"

/*
 * Runs the program with the file `input` as its standard input, or with nothing to read if that is
 * NULL. Its output is discarded. Returns NULL if it exits with 0, or what happened; the caller
 * frees that, and the program's stderr was printed on ours.
 */
char *cli_quiet_run(const char *executable, char *const *words, const char *input);

#endif /* WI_CLI_PERF_BENCH_QUIET_H_ */
