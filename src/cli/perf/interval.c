#include "cli/perf/interval.h"

#include <math.h>
#include <stdlib.h>

#include "support/arithmetic.h"

enum { MAX_SUM = CLI_INTERVAL_MAX * (CLI_INTERVAL_MAX + 1) / 2 };

/*
 * Sets share[s] to the probability that the ranks of `count` differences with random signs have the
 * sum s: each rank is added or not with probability 1/2.
 */
static void distribute(uint32_t count, double *share) {
  for (uint32_t s = 0; s <= MAX_SUM; s++)
    share[s] = s == 0;
  for (uint32_t rank = 1; rank <= count; rank++)
    for (uint32_t s = rank * (rank + 1) / 2 + 1; s-- > 0;)
      share[s] = (share[s] + (s >= rank ? share[s - rank] : 0)) / 2;
}

/* How many means at each end are outside of the interval. */
static uint32_t count_outside(uint32_t count) {
  static double share[MAX_SUM + 1];
  const double tail = (100 - CLI_INTERVAL_LEVEL) / 200.0;
  distribute(count, share);
  uint32_t outside = 0;
  for (double sum = share[0]; sum <= tail; sum += share[outside])
    outside++;
  return outside;
}

bool cli_interval_find(const double *logarithms, uint32_t count, cli_interval *interval) {
  uint32_t mean_count = count * (count + 1) / 2, outside = count_outside(count);
  double *means = malloc(mean_count * sizeof *means);
  if (!means)
    return false;
  uint32_t used = 0;
  for (uint32_t i = 0; i < count; i++)
    for (uint32_t k = i; k < count; k++)
      means[used++] = (logarithms[i] + logarithms[k]) / 2;
  qsort(means, mean_count, sizeof *means, wi_compare_doubles);
  interval->factor = exp((means[(mean_count - 1) / 2] + means[mean_count / 2]) / 2);
  interval->low = exp(means[outside - 1]);
  interval->high = exp(means[mean_count - outside]);
  free(means);
  return true;
}

static int compare_times(const void *a, const void *b) {
  uint64_t left = *(const uint64_t *)a, right = *(const uint64_t *)b;
  return (left > right) - (left < right);
}

uint64_t cli_interval_median(uint64_t *times, uint32_t count) {
  qsort(times, count, sizeof *times, compare_times);
  return (times[(count - 1) / 2] + times[count / 2]) / 2;
}
