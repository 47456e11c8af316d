/* The counts of one run of a benchmark: totals, and the counts of each function. */
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

/* A share of a function's counts: a caller with its calls, or a line with its instructions. */
typedef struct cli_share {
  char *name; /* owned */
  uint64_t value;
} cli_share;

typedef struct cli_function {
  char *name; /* as in reports, with the module if there are several; owned */
  uint64_t self;
  uint64_t calls;
  uint64_t code;                /* hash of its code, see codes.h; 0: unknown */
  uint32_t first;               /* rank by first call; not in baselines */
  WI_ARRAY(cli_share, callers); /* owned */
  WI_ARRAY(cli_share, lines);   /* "FILE:LINE"; empty unless lines were counted; owned */
} cli_function;

/* Zero it before use; clear it afterwards. */
typedef struct cli_counts {
  char *module; /* identity of the module's code; NULL if unknown or several; owned */
  uint64_t values[CLI_METRIC_COUNT];
  bool has[CLI_METRIC_COUNT];        /* which values are known */
  WI_ARRAY(cli_function, functions); /* sorted by names as bytes; owned */
} cli_counts;

/*
 * Fills *counts from a profile, whose names it demangles. `path` is its module's; NULL: unknown, or
 * there are several. False if memory ran out; *failure says so.
 */
bool cli_counts_take(cli_counts *counts, wasm_perf_profile *profile, const char *path,
                     cli_failure *failure);
void cli_counts_clear(cli_counts *counts);

void cli_counts_set(cli_counts *counts, cli_metric metric, uint64_t value);

/* The function called `name`, or NULL. */
const cli_function *cli_counts_find(const cli_counts *counts, const char *name);

/* The value of the share called `name`, or 0. */
uint64_t cli_share_find(const cli_share *shares, uint32_t count, const char *name);

/* The size of a function's name without its module and its mark, see report/model/identities.h. */
uint32_t cli_function_name_size(const char *name);

/*
 * Describes how two runs of one benchmark differ. It names the first function, by first calls,
 * whose counts differ. NULL if the runs are equal. Functions of one name may change places, since a
 * tool such as wasm-bindgen may write a module's functions in another order. The caller frees it.
 */
char *cli_counts_difference(const cli_counts *first, const cli_counts *second);

/*
 * Moves from another run what only that one counted: the lines, to the functions of the same names,
 * and the mix of instructions.
 */
void cli_counts_complete(cli_counts *counts, cli_counts *other);

#endif /* WI_CLI_PERF_BENCH_COUNTS_H_ */
