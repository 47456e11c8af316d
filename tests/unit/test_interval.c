/* The interval of paired ratios: against published examples, and for every outcome of a fair coin. */
#include <math.h>

#include "cli/perf/interval.h"
#include "unit.h"

/* Hollander and Wolfe, "Nonparametric Statistical Methods", example 3.1: estimate and interval. */
static void test_a_published_example(void **state) {
  static const double before[] = {1.83, 0.50, 1.62, 2.48, 1.68, 1.88, 1.55, 3.06, 1.30};
  static const double after[] = {0.878, 0.647, 0.598, 2.05, 1.06, 1.29, 1.06, 3.14, 1.29};
  enum { COUNT = sizeof before / sizeof *before };
  double differences[COUNT];
  cli_interval interval;
  for (unsigned i = 0; i < COUNT; i++)
    differences[i] = after[i] - before[i];
  assert_true(cli_interval_find(differences, COUNT, &interval));
  assert_true(fabs(log(interval.factor) - -0.46) < 1e-9);
  assert_true(fabs(log(interval.low) - -0.786) < 1e-9);
  assert_true(fabs(log(interval.high) - -0.01) < 1e-9);
}

/* How many of the 2^count signs of 1, 2, 4 … give an interval without "no difference". */
static unsigned count_misses(uint32_t count) {
  unsigned misses = 0;
  for (uint32_t signs = 0; signs < 1U << count; signs++) {
    double values[CLI_INTERVAL_MAX];
    cli_interval interval;
    for (uint32_t i = 0; i < count; i++)
      values[i] = (signs >> i & 1 ? -1e-3 : 1e-3) * (double)(1U << i);
    assert_true(cli_interval_find(values, count, &interval));
    assert_true(interval.low <= interval.factor && interval.factor <= interval.high);
    misses += interval.low > 1 || interval.high < 1;
  }
  return misses;
}

/* Twice the numbers in tables of Wilcoxon's test: the most that stay within 2.5 % at each end. */
static void test_no_difference_is_missed_as_often_as_promised(void **state) {
  assert_int_equal(count_misses(6), 2 * 1);
  assert_int_equal(count_misses(8), 2 * 5);
  assert_int_equal(count_misses(10), 2 * 25);
}

static void test_equal_ratios(void **state) {
  for (uint32_t count = CLI_INTERVAL_MIN; count <= CLI_INTERVAL_MAX; count++) {
    double values[CLI_INTERVAL_MAX];
    cli_interval interval;
    for (uint32_t i = 0; i < count; i++)
      values[i] = log(2);
    assert_true(cli_interval_find(values, count, &interval));
    assert_true(fabs(interval.low - 2) < 1e-9 && fabs(interval.high - 2) < 1e-9);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_a_published_example),
      cmocka_unit_test(test_no_difference_is_missed_as_often_as_promised),
      cmocka_unit_test(test_equal_ratios),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
