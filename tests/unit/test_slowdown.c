/* How many pairs of runs are made and what follows from their times, without running anything. */
#include "cli/perf/progress.h"
#include "cli/perf/record/slowdown.h"
#include "cli/perf/record/watch.h"
#include "unit.h"

#define MS UINT64_C(1000000)

/* The program: its runs take these times in turn, plain ones first. */
static struct {
  const uint64_t *times; /* in nanoseconds; the last one repeats */
  unsigned time_count, run_count, stopped_run;
  uint64_t now, start_up;
  bool is_last_silent;
} runs;

uint64_t cli_progress_now(void) {
  return runs.now;
}

void cli_watch_say(const char *phase) {
  (void)phase;
}

bool cli_trials_are_over(int exit_code) {
  return exit_code == CLI_EXIT_SIGNAL_BASE + 2;
}

int cli_trials_run(const cli_trials *trials, const cli_request *request, wasm_perf_clock clock,
                   uint64_t *time, wasm_perf_profile **profile) {
  (void)trials;
  (void)clock;
  *profile = NULL;
  if (++runs.run_count == runs.stopped_run)
    return CLI_EXIT_SIGNAL_BASE + 2;
  unsigned i = runs.run_count - 1;
  *time = runs.times[i < runs.time_count ? i : runs.time_count - 1];
  runs.now += *time + runs.start_up;
  runs.is_last_silent = request->silent;
  return 0;
}

static bool is_within_tenth(const cli_slowdown *slowdown, const void *user) {
  (void)user;
  return cli_slowdown_has_interval(slowdown) &&
         slowdown->high - slowdown->low <= slowdown->time / 10;
}

static int measure(const uint64_t *times, unsigned count, bool shows_last, cli_slowdown *slowdown) {
  static const cli_request request;
  const cli_slowdown_plan plan = {
      .request = &request, .shows_last = shows_last, .is_known = is_within_tenth};
  wasm_perf_profile *profile;
  runs.times = times;
  runs.time_count = count;
  runs.run_count = 0;
  runs.start_up = 20 * MS;
  return cli_slowdown_measure(&plan, slowdown, &profile);
}

static void test_equal_pairs_end_with_the_first_interval(void **state) {
  static const uint64_t times[] = {100 * MS, 125 * MS, 100 * MS, 125 * MS, 100 * MS, 125 * MS,
                                   100 * MS, 125 * MS, 100 * MS, 125 * MS, 100 * MS, 125 * MS};
  cli_slowdown slowdown;
  wasm_perf_facts facts = {0};
  assert_int_equal(measure(times, 12, true, &slowdown), 0);
  assert_int_equal(runs.run_count, 13); /* the last one prints */
  assert_false(runs.is_last_silent);
  assert_int_equal(slowdown.plain_time, 100 * MS);
  assert_int_equal(slowdown.time, 125 * MS);
  cli_slowdown_note(&slowdown, &facts);
  assert_int_equal(facts.run_pair_count, 6);
}

static void test_varying_pairs_are_repeated_to_the_limit(void **state) {
  uint64_t times[2 * CLI_SLOWDOWN_MAX_PAIRS];
  cli_slowdown slowdown;
  wasm_perf_facts facts = {0};
  for (unsigned i = 0; i < CLI_SLOWDOWN_MAX_PAIRS; i++) {
    times[2 * i] = 100 * MS;
    times[2 * i + 1] = (i % 2 == 0 ? 90 : 150) * MS;
  }
  assert_int_equal(measure(times, 2 * CLI_SLOWDOWN_MAX_PAIRS, true, &slowdown), 0);
  assert_int_equal(runs.run_count, 2 * CLI_SLOWDOWN_MAX_PAIRS);
  assert_false(runs.is_last_silent);
  assert_int_equal(slowdown.low, 90 * MS);
  assert_int_equal(slowdown.high, 150 * MS);
  cli_slowdown_note(&slowdown, &facts);
  assert_int_equal(facts.run_time_error, 30 * MS);
}

static void test_long_runs_are_not_repeated(void **state) {
  static const uint64_t times[] = {25000 * MS, 30000 * MS};
  cli_slowdown slowdown;
  wasm_perf_facts facts = {0};
  assert_int_equal(measure(times, 2, true, &slowdown), 0);
  assert_int_equal(runs.run_count, 2);
  assert_false(runs.is_last_silent);
  cli_slowdown_note(&slowdown, &facts);
  assert_int_equal(facts.run_time, 30000 * MS);
  assert_int_equal(facts.run_time_error, 0); /* unknown */
  measure(times, 2, false, &slowdown);
  assert_true(runs.is_last_silent);
}

static void test_a_stopped_run_ends_them(void **state) {
  static const uint64_t times[] = {100 * MS, 200 * MS, 100 * MS};
  cli_slowdown slowdown;
  runs.stopped_run = 3;
  assert_int_equal(measure(times, 3, true, &slowdown), CLI_EXIT_SIGNAL_BASE + 2);
  assert_int_equal(runs.run_count, 3);
  assert_int_equal(slowdown.time, 200 * MS);
  assert_int_equal(slowdown.pair_count, 1);
  assert_false(cli_slowdown_has_interval(&slowdown));
  runs.stopped_run = 0;
}

static void test_a_program_without_modules_runs_once_more(void **state) {
  static const uint64_t times[] = {0};
  cli_slowdown slowdown;
  assert_int_equal(measure(times, 1, true, &slowdown), 0);
  assert_int_equal(runs.run_count, 2);
  assert_int_equal(slowdown.plain_time, 0);
}

/* For example because the program fails with the profiler. */
static void test_runs_without_a_time_are_not_repeated(void **state) {
  static const uint64_t times[] = {100 * MS, 0};
  cli_slowdown slowdown;
  assert_int_equal(measure(times, 2, true, &slowdown), 0);
  assert_int_equal(runs.run_count, 3); /* the last one prints */
  assert_false(runs.is_last_silent);
  assert_int_equal(slowdown.pair_count, 0);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_equal_pairs_end_with_the_first_interval),
      cmocka_unit_test(test_varying_pairs_are_repeated_to_the_limit),
      cmocka_unit_test(test_long_runs_are_not_repeated),
      cmocka_unit_test(test_a_stopped_run_ends_them),
      cmocka_unit_test(test_a_program_without_modules_runs_once_more),
      cmocka_unit_test(test_runs_without_a_time_are_not_repeated),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
