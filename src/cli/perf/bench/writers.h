/* The writers of outcomes. */
#ifndef WI_CLI_PERF_BENCH_WRITERS_H_
#define WI_CLI_PERF_BENCH_WRITERS_H_

#include <stdio.h>

#include "cli/perf/bench/outcome.h"

/* Writes to the stream, which keeps errors. Shows up to `why_limit` functions per change. */
typedef void cli_bench_writer(const cli_outcomes *outcomes, uint32_t why_limit, FILE *stream);

/* One writer per format. */
#define CLI_BENCH_FORMAT(name, extension, help) cli_bench_writer cli_bench_write_##name;
#include "cli/perf/bench/bench_formats.def"
#undef CLI_BENCH_FORMAT

#endif /* WI_CLI_PERF_BENCH_WRITERS_H_ */
