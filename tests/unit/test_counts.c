/* How two runs of one benchmark differ: functions of one name may change places. */
#include <stdlib.h>

#include "cli/perf/bench/counts.h"
#include "unit.h"

/* Sorted by name, as cli_counts_take does it. */
static cli_counts counts_of(cli_function *functions, uint32_t count) {
  return (cli_counts){.functions = functions, .functions_count = count};
}

static void assert_difference(cli_counts *first, cli_counts *second, const char *expected) {
  char *difference = cli_counts_difference(first, second);
  if (expected)
    assert_string_equal(difference, expected);
  else
    assert_null(difference);
  free(difference);
}

static void test_functions_of_one_name_change_places(void **state) {
  cli_function one[] = {{.name = "copy (1 of 2)", .self = 20, .calls = 1, .first = 2},
                        {.name = "copy (2 of 2)", .self = 36, .calls = 1, .first = 3},
                        {.name = "main", .self = 5, .calls = 1, .first = 1}};
  cli_function two[] = {{.name = "copy (1 of 2)", .self = 36, .calls = 1, .first = 3},
                        {.name = "copy (2 of 2)", .self = 20, .calls = 1, .first = 2},
                        {.name = "main", .self = 5, .calls = 1, .first = 1}};
  cli_counts first = counts_of(one, 3), second = counts_of(two, 3);
  assert_difference(&first, &second, NULL);
  two[0].self = 37;
  assert_difference(
      &first, &second,
      "two runs differ first in copy (1 of 2): 20 and 37 instructions, 1 and 1 calls");
  two[0].self = 36;
  two[2].self = 6;
  assert_difference(&first, &second,
                    "two runs differ first in main: 5 and 6 instructions, 1 and 1 calls");
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(test_functions_of_one_name_change_places)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
