/* How what became of benchmarks is written. */
#ifndef WI_CLI_PERF_BENCH_WRITERS_H_
#define WI_CLI_PERF_BENCH_WRITERS_H_

#include <stdio.h>

#include "cli/perf/bench/outcome.h"

/* Writes to the stream, which keeps its errors. `why_limit`: of how many functions of each that changed. */
typedef void cli_bench_writer(const cli_outcomes *outcomes, uint32_t why_limit, FILE *stream);

/* One for each format. */
#define CLI_BENCH_FORMAT(name, extension, help) cli_bench_writer cli_bench_write_##name;
#include "cli/perf/bench/bench_formats.def"
#undef CLI_BENCH_FORMAT

#endif /* WI_CLI_PERF_BENCH_WRITERS_H_ */
