/* What takes long is told on a terminal. */
#ifndef WI_CLI_PERF_PROGRESS_H_
#define WI_CLI_PERF_PROGRESS_H_

#include <stdint.h>

#include "wasm_perf/profile.h"

/* Nanoseconds of a clock that only goes on. */
uint64_t cli_progress_now(void);
#define CLI_SECOND UINT64_C(1000000000)

/* What takes longer is told. */
#define CLI_PROGRESS_PATIENCE (2 * CLI_SECOND)

/*
 * Where CLI_PROGRESS_PATIENCE has passed since `start` and standard error is a terminal, says so
 * there: "Ran for 12.3 s: 85,972 calls, 35 nodes", `done` being "Ran for" and `time` what it took,
 * in nanoseconds; 0: all that has passed.
 */
void cli_progress_tell(const char *done, uint64_t start, uint64_t time,
                       const wasm_perf_profile *profile);

#endif /* WI_CLI_PERF_PROGRESS_H_ */
