/*
 * By what factor paired times differ, with a confidence interval.
 *
 * The logarithms of the pairs' ratios are assumed to be independent and symmetric about one value.
 * It is estimated by Hodges and Lehmann's median of the means of all pairs of logarithms, and its
 * interval holds the values that Wilcoxon's signed-rank test does not reject. The test's
 * distribution is computed exactly. Unlike a mean and a t interval, both resist the few slow runs
 * that other processes cause; unlike a bootstrap, they are exact for few pairs and not random.
 * (Hodges and Lehmann, "Estimates of location based on rank tests", 1963.)
 */
#ifndef WI_CLI_PERF_INTERVAL_H_
#define WI_CLI_PERF_INTERVAL_H_

#include <stdbool.h>
#include <stdint.h>

enum {
  CLI_INTERVAL_LEVEL = 95, /* confidence, a percentage */
  CLI_INTERVAL_MIN = 6,    /* fewer pairs cannot reach that level */
  CLI_INTERVAL_MAX = 100   /* pairs */
};

/* Ratios: 1 means equal times. */
typedef struct cli_interval {
  double factor, low, high;
} cli_interval;

/*
 * Fills *interval from the logarithms of `count` ratios, CLI_INTERVAL_MIN to CLI_INTERVAL_MAX. False
 * if memory ran out.
 */
bool cli_interval_find(const double *logarithms, uint32_t count, cli_interval *interval);

/* Returns the median of `count` times, at least one, which it sorts. */
uint64_t cli_interval_median(uint64_t *times, uint32_t count);

#endif /* WI_CLI_PERF_INTERVAL_H_ */
