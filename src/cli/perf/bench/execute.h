/* Runs a benchmark as wasm-perf record --deterministic does. */
#ifndef WI_CLI_PERF_BENCH_EXECUTE_H_
#define WI_CLI_PERF_BENCH_EXECUTE_H_

#include "cli/perf/bench/rows.h"
#include "cli/perf/bench/suite.h"

/* How a benchmark is run. Zero or NULL for the default. */
typedef struct cli_execution {
  const char *profile_folder; /* folder for copies of the profiles; NULL for none */
  const char *engine;         /* for benchmarks that name none; NULL for any */
} cli_execution;

/*
 * Runs the benchmark twice; the second run also counts lines. Fills *rows, which must be zeroed
 * before and cleared afterwards in any case. If a run fails, its stderr is printed on ours, and the
 * first row, which has the problem, is the only one. False if out of memory.
 */
bool cli_benchmark_execute(const cli_benchmark *benchmark, const cli_execution *execution,
                           cli_rows *rows);

#endif /* WI_CLI_PERF_BENCH_EXECUTE_H_ */
