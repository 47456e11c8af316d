/* Runs a benchmark, each time in a process of its own: wasm-perf record --deterministic. */
#ifndef WI_CLI_PERF_BENCH_EXECUTE_H_
#define WI_CLI_PERF_BENCH_EXECUTE_H_

#include "cli/perf/bench/counts.h"
#include "cli/perf/bench/suite.h"

/* How it is run. Zero in a field: not so. */
typedef struct cli_execution {
  const char *folder;         /* private, for profiles */
  const char *profile_folder; /* where the profile is kept; NULL: nowhere */
  const char *engine;         /* of benchmarks that name none; NULL: any */
  bool with_lines;            /* also count the instructions of lines */
} cli_execution;

/*
 * Runs it twice, and once more for lines. What it counted is in *counts, zeroed before and to be
 * cleared after, in any case. Returns NULL, or why that cannot be relied on: the caller frees it.
 * What the program said on stderr of a run that failed is on stderr.
 */
char *cli_benchmark_execute(const cli_benchmark *benchmark, const cli_execution *execution,
                            cli_counts *counts);

#endif /* WI_CLI_PERF_BENCH_EXECUTE_H_ */
