/* What one run of a benchmark counted: sums, and for each function where they come from. */
#ifndef WI_CLI_PERF_BENCH_COUNTS_H_
#define WI_CLI_PERF_BENCH_COUNTS_H_

#include "cli/perf/common.h"
#include "support/array.h"
#include "wasm_perf/profile.h"

typedef enum cli_metric {
#define CLI_METRIC(id, name, label, is_gated) CLI_METRIC_##id,
#include "cli/perf/bench/metrics.def"
#undef CLI_METRIC
  CLI_METRIC_COUNT
} cli_metric;

const char *cli_metric_name(cli_metric metric);
const char *cli_metric_label(cli_metric metric);
bool cli_metric_is_gated(cli_metric metric);

/* A part of what a function has: a caller and its calls, or a line and its instructions. */
typedef struct cli_share {
  char *name; /* owned */
  uint64_t value;
} cli_share;

typedef struct cli_function {
  char *name; /* as reports show it; owned */
  uint64_t self;
  uint64_t calls;
  uint32_t first;               /* orders functions by their first calls; not in baselines */
  WI_ARRAY(cli_share, callers); /* owned, as are the lines */
  WI_ARRAY(cli_share, lines);   /* "FILE:LINE"; empty unless the run counted them */
} cli_function;

/* Zero it before; clear it after. */
typedef struct cli_counts {
  char *module; /* the identity of its code; NULL: several modules, or not known. Owned */
  uint64_t values[CLI_METRIC_COUNT];
  WI_ARRAY(cli_function, functions); /* in byte order of their names; owned */
} cli_counts;

/* Fills *counts from a profile, whose names it makes readable. False: memory ran out. */
bool cli_counts_take(cli_counts *counts, wasm_perf_profile *profile);
void cli_counts_clear(cli_counts *counts);

/* The function of that name, or NULL. */
const cli_function *cli_counts_find(const cli_counts *counts, const char *name);

/* The value of that name, or 0. */
uint64_t cli_share_find(const cli_share *shares, uint32_t count, const char *name);

/*
 * How two runs of one benchmark differ: NULL if they do not, else a sentence that names the first
 * function, in order of first calls, of which they do. The caller frees it.
 */
char *cli_counts_difference(const cli_counts *first, const cli_counts *second);

/* Gives functions of *counts the lines of the same functions of another run. */
void cli_counts_move_lines(cli_counts *counts, cli_counts *other);

#endif /* WI_CLI_PERF_BENCH_COUNTS_H_ */
