/* wasm-perf bench: runs benchmarks and compares their counts. */
#ifndef WI_CLI_PERF_BENCH_BENCH_H_
#define WI_CLI_PERF_BENCH_BENCH_H_

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "cli/common/percentage.h"

/* What to run and to compare with. Strings are borrowed from argv; paths are owned. */
typedef struct cli_bench_request {
  const char *file;
  char *baseline;
  char *output; /* "-": stdout */
  char *profiles;
  char *other; /* the other build of --time */
  const char *engine;
  const char *limit_text;
  cli_percentage limit;
  const char *why;
  uint32_t pairs; /* 0 for the default */
  size_t format;  /* index in bench_formats.def */
  bool save;
  char **words; /* names of benchmarks, or the command to run */
  size_t word_count;
  bool is_command;
  bool is_module; /* set by cli_bench_run */
} cli_bench_request;

/* Runs the benchmarks, writes the report and saves the baseline. Returns the exit code. */
int cli_bench_run(cli_bench_request *request);

#endif /* WI_CLI_PERF_BENCH_BENCH_H_ */
