/* Times two builds of a benchmark against each other. */
#ifndef WI_CLI_PERF_BENCH_TIMING_H_
#define WI_CLI_PERF_BENCH_TIMING_H_

#include "cli/perf/bench/suite.h"
#include "cli/perf/interval.h"

/* How builds are timed. */
typedef struct cli_timing_plan {
  const char *other;  /* absolute path: the other build's module, or the folder to run it in */
  const char *engine; /* for benchmarks that name none; NULL for any */
  uint32_t pairs;     /* 0: by the time that they take */
} cli_timing_plan;

typedef struct cli_timing {
  uint32_t pairs;         /* 0 if nothing was timed */
  uint64_t before, after; /* medians of the other build and ours, in nanoseconds */
  cli_interval change;    /* of ours to the other one */
} cli_timing;

/*
 * Runs both builds in turn, without hooks and without a fixed host. A pair is a run of each, the
 * first one alternating, so that what slows the machine down for a while slows both down; one pair
 * before them is not counted. The number of pairs does not depend on their ratios: stopping when a
 * difference shows would show differences that do not exist.
 *
 * Returns NULL and fills *timing, or returns why the times are not known; the caller frees that.
 */
char *cli_benchmark_time(const cli_benchmark *benchmark, const cli_timing_plan *plan,
                         cli_timing *timing);

#endif /* WI_CLI_PERF_BENCH_TIMING_H_ */
