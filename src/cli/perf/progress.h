/* Progress messages on a terminal. */
#ifndef WI_CLI_PERF_PROGRESS_H_
#define WI_CLI_PERF_PROGRESS_H_

#include <stdint.h>

#include "wasm_perf/profile.h"

/* The monotonic clock, in nanoseconds. */
uint64_t cli_progress_now(void);
#define CLI_SECOND UINT64_C(1000000000)

/* Shorter steps print nothing, in nanoseconds. */
#define CLI_PROGRESS_PATIENCE (2 * CLI_SECOND)

/*
 * If CLI_PROGRESS_PATIENCE has passed since `start` and stderr is a terminal, prints a line such as
 * "Ran for 12.3 s: 85,972 calls, 35 nodes". `done` is "Ran for"; `time` is the duration in
 * nanoseconds, 0 for the time since `start`.
 */
void cli_progress_print(const char *done, uint64_t start, uint64_t time,
                        const wasm_perf_profile *profile);

#endif /* WI_CLI_PERF_PROGRESS_H_ */
