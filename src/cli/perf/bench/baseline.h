/*
 * The baseline: what each benchmark counted when it was saved, in a file of JSON that is part of a
 * repository. A function is on a line of its own, in order of names, so that a diff shows what changed
 * and two branches can be merged.
 */
#ifndef WI_CLI_PERF_BENCH_BASELINE_H_
#define WI_CLI_PERF_BENCH_BASELINE_H_

#include "cli/perf/bench/counts.h"

#define CLI_BASELINE_FILE "wasm-perf.baseline.json"

typedef struct cli_saved {
  char *name; /* of the benchmark; owned */
  cli_counts counts;
  bool has[CLI_METRIC_COUNT]; /* whether counts.values has it */
} cli_saved;

/* Zero it before; clear it after. */
typedef struct cli_baseline {
  char *tool;                 /* the version that saved it; owned */
  WI_ARRAY(cli_saved, saved); /* in byte order of their names; owned */
} cli_baseline;

/* False on failure, which it has printed on stderr. */
bool cli_baseline_read(cli_baseline *baseline, const char *path);
bool cli_baseline_write(const cli_baseline *baseline, const char *path);
void cli_baseline_clear(cli_baseline *baseline);

cli_saved *cli_baseline_find(const cli_baseline *baseline, const char *name);

/* Takes over *counts, in place of what was saved by that name. False: memory ran out. */
bool cli_baseline_put(cli_baseline *baseline, const char *name, cli_counts *counts);

#endif /* WI_CLI_PERF_BENCH_BASELINE_H_ */
