/* What a report says about the profile as a whole. */
#include "unit.h"

#include "report/model/summary.h"

static void test_many_lines(void **state) {
  (void)state;
  wi_summary summary = {0};
  for (unsigned i = 0; i < WI_SUMMARY_MAX_LINES; i++)
    wi_summary_add(&summary, "line %u", i);
  assert_int_equal(summary.line_count, WI_SUMMARY_MAX_LINES);
  assert_string_equal(summary.lines[22], "line 22");
  assert_string_equal(summary.lines[WI_SUMMARY_MAX_LINES - 1], "line 47");
  wi_summary_warn(&summary, "one too many");
  assert_int_equal(summary.line_count, WI_SUMMARY_MAX_LINES);
  assert_string_equal(summary.lines[WI_SUMMARY_MAX_LINES - 1],
                      "Further notes are left out for lack of space.");
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(test_many_lines)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
