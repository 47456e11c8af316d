/* What a report says about the profile as a whole. */
#include "unit.h"

#include "report/model/summary.h"
#include "report/model/summary_budget.h"
#include "report/model/summary_slowdown.h"

#define MS UINT64_C(1000000)

static void test_many_lines(void **state) {
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

static void assert_slowdown(wasm_perf_facts facts, const char *expected) {
  char text[WI_SLOWDOWN_TEXT_SIZE];
  wi_summary_slowdown(&facts, text);
  assert_string_equal(text, expected);
}

static void test_a_slowdown_has_its_error(void **state) {
  wasm_perf_facts facts = {.run_time = 130 * MS, .plain_run_time = 100 * MS, .run_pair_count = 1};
  assert_slowdown(facts,
                  "Ran for 130 ms with the profiler, 100 ms without: 1.30 times in 1 pair of "
                  "runs, too few to tell how far that is off");
  facts.run_pair_count = 6;
  facts.run_time_error = 4 * MS;
  assert_slowdown(facts, "Ran for 130 ms with the profiler, 100 ms without: 1.30 ± 0.04 times");
  facts.run_time_error = 50 * MS;
  assert_slowdown(facts, "Ran for 130 ms with the profiler, 100 ms without: 1.30 ± 0.50 times; the "
                         "runs varied much");
}

/* Of a budget of 3 %. */
static void assert_budget(uint64_t run_time, uint64_t error, const char *expected) {
  char text[WI_BUDGET_TEXT_SIZE], all[WI_BUDGET_TEXT_SIZE];
  const wasm_perf_facts facts = {.budget = 30000,
                                 .predicted_overhead = 20000,
                                 .attributed_share = 1000000,
                                 .run_time = run_time,
                                 .plain_run_time = 1000 * MS,
                                 .run_time_error = error,
                                 .run_pair_count = error > 0 ? 6 : 2};
  wi_summary_budget(&facts, text);
  snprintf(
      all, sizeof all,
      "Hooks for a budget of 3.0 %%: predicted to cost 2.0 %%, %s; hooked functions have 100.0 "
      "%% of the measured cost",
      expected);
  assert_string_equal(text, all);
}

static void test_a_budget_is_judged_by_the_interval(void **state) {
  assert_budget(1020 * MS, 5 * MS, "measured 2.0 ± 0.5 %");
  assert_budget(1020 * MS, 15 * MS,
                "measured 2.0 ± 1.5 %, too inexact to tell whether that is within the budget");
  assert_budget(1050 * MS, 10 * MS, "measured 5.0 ± 1.0 %, which is over the budget");
  assert_budget(1050 * MS, 30 * MS,
                "measured 5.0 ± 3.0 %, too inexact to tell whether that is within the budget");
  assert_budget(990 * MS, 20 * MS, "measured \u22121.0 ± 2.0 %");
  assert_budget(990 * MS, 5 * MS, "which cannot be measured in a run this short");
  assert_budget(1050 * MS, 0,
                "measured 5.0 % in 2 pairs of runs, too few to tell how far that is off");
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(test_many_lines),
                                     cmocka_unit_test(test_a_slowdown_has_its_error),
                                     cmocka_unit_test(test_a_budget_is_judged_by_the_interval)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
