/* Runs programs without their output. */
#ifndef WI_CLI_PERF_BENCH_CAPTURE_H_
#define WI_CLI_PERF_BENCH_CAPTURE_H_

#include "cli/common/process.h"
#include "cli/perf/common.h"

/* The streams of a program whose output nobody wants unless it fails. */
typedef struct cli_capture {
  wi_process_streams streams;
  FILE *messages; /* what it prints on stderr, and our own messages meanwhile */
  FILE *before;   /* where these went before */
} cli_capture;

/*
 * Opens the streams: standard input is the file `input`, or has nothing to read if that is NULL.
 * False with errno set; then it is closed.
 */
bool cli_capture_begin(cli_capture *capture, const char *input);

/*
 * Ends the capture of a program that ended with the exit code, or -1 with errno if it did not run,
 * and clears the failure. Returns NULL for 0, otherwise what happened, after printing what was
 * captured; the caller frees it.
 */
char *cli_capture_end(cli_capture *capture, int exit_code, cli_failure *failure);

/*
 * The reason as text for a table, safe to show. Clears the failure, which has one; the caller frees
 * the result.
 */
char *cli_problem_take(cli_failure *failure);

#endif /* WI_CLI_PERF_BENCH_CAPTURE_H_ */
