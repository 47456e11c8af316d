/*
 * The baseline: the saved counts of each benchmark, as JSON for a repository. It has one function
 * per line, sorted by names, so that diffs show what changed and branches can be merged.
 */
#ifndef WI_CLI_PERF_BENCH_BASELINE_H_
#define WI_CLI_PERF_BENCH_BASELINE_H_

#include "cli/perf/bench/counts.h"

#define CLI_BASELINE_FILE "wasm-perf.baseline.json"

typedef struct cli_saved {
  char *name; /* the benchmark's; owned */
  cli_counts counts;
} cli_saved;

/* Zero it before use; clear it afterwards. */
typedef struct cli_baseline {
  char *tool;                 /* the version that saved it; owned */
  WI_ARRAY(cli_saved, saved); /* sorted by names as bytes; owned */
} cli_baseline;

/* False on failure, after an error on stderr. */
bool cli_baseline_read(cli_baseline *baseline, const char *path);
bool cli_baseline_write(const cli_baseline *baseline, const char *path);
void cli_baseline_clear(cli_baseline *baseline);

cli_saved *cli_baseline_find(const cli_baseline *baseline, const char *name);

/* Replaces the counts saved as `name`; takes ownership of *counts. False if memory ran out. */
bool cli_baseline_put(cli_baseline *baseline, const char *name, cli_counts *counts);

/* Removes what is saved at `index`. */
void cli_baseline_remove(cli_baseline *baseline, uint32_t index);

#endif /* WI_CLI_PERF_BENCH_BASELINE_H_ */
