/* Runs a benchmark as wasm-perf record --deterministic does. */
#ifndef WI_CLI_PERF_BENCH_EXECUTE_H_
#define WI_CLI_PERF_BENCH_EXECUTE_H_

#include "cli/perf/bench/counts.h"
#include "cli/perf/bench/suite.h"

/* How a benchmark is run. Zero or NULL for the default. */
typedef struct cli_execution {
  const char *profile_folder; /* folder for a copy of the profile; NULL for none */
  const char *engine;         /* for benchmarks that name none; NULL for any */
} cli_execution;

/*
 * Runs the benchmark twice; the second run also counts lines. Fills *counts, which must be zeroed
 * before and cleared afterwards in any case. Returns NULL, or why the counts are not reliable; the
 * caller frees that. If a run fails, its stderr is printed on ours.
 */
char *cli_benchmark_execute(const cli_benchmark *benchmark, const cli_execution *execution,
                            cli_counts *counts);

#endif /* WI_CLI_PERF_BENCH_EXECUTE_H_ */
