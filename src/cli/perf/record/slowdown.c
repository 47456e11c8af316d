#include "cli/perf/record/slowdown.h"

#include <math.h>
#include <stdio.h>

#include "cli/perf/interval.h"
#include "cli/perf/progress.h"
#include "cli/perf/record/watch.h"

typedef struct measurement {
  const cli_slowdown_plan *plan;
  cli_slowdown *slowdown;
  wasm_perf_profile **profile;
  uint64_t start, duration; /* of the first run; of the last one, with its start-up */
  uint64_t plain_times[CLI_SLOWDOWN_MAX_PAIRS];
  double logarithms[CLI_SLOWDOWN_MAX_PAIRS]; /* of the pairs' ratios */
} measurement;

/* ---- Statistics ------------------------------------------------------------------ */

static uint64_t scaled(uint64_t time, double factor) {
  return (uint64_t)llround((double)time * factor);
}

bool cli_slowdown_has_interval(const cli_slowdown *slowdown) {
  return slowdown->pair_count >= CLI_INTERVAL_MIN;
}

/* The mean of the logarithms, and their extremes. */
static cli_interval range_of(const double *logarithms, uint32_t count) {
  double sum = 0, least = logarithms[0], most = logarithms[0];
  for (uint32_t i = 0; i < count; i++) {
    sum += logarithms[i];
    least = fmin(least, logarithms[i]);
    most = fmax(most, logarithms[i]);
  }
  return (cli_interval){exp(sum / count), exp(least), exp(most)};
}

static void update(measurement *work) {
  uint64_t sorted[CLI_SLOWDOWN_MAX_PAIRS];
  uint32_t count = work->slowdown->pair_count;
  for (uint32_t i = 0; i < count; i++)
    sorted[i] = work->plain_times[i];
  uint64_t plain = cli_interval_median(sorted, count);
  cli_interval interval = range_of(work->logarithms, count);
  if (cli_slowdown_has_interval(work->slowdown))
    cli_interval_find(work->logarithms, count, &interval); /* else the range remains */
  *work->slowdown =
      (cli_slowdown){plain, scaled(plain, interval.factor), scaled(plain, interval.low),
                     scaled(plain, interval.high), count};
}

void cli_slowdown_note(const cli_slowdown *slowdown, wasm_perf_facts *facts) {
  facts->run_time = slowdown->time;
  facts->plain_run_time = slowdown->plain_time;
  facts->run_pair_count = slowdown->pair_count;
  facts->run_time_error =
      cli_slowdown_has_interval(slowdown) ? (slowdown->high - slowdown->low + 1) / 2 : 0;
}

/* ---- Runs -------------------------------------------------------------------------- */

/* Whether another pair would take too long, judged by the last run. */
static bool time_is_up(const measurement *work) {
  uint64_t elapsed = cli_progress_now() - work->start;
  return elapsed + 2 * work->duration > CLI_SLOWDOWN_SECONDS * CLI_SECOND;
}

static int run_once(measurement *work, bool is_plain, bool is_silent, uint64_t *time,
                    wasm_perf_profile **profile) {
  const cli_slowdown_plan *plan = work->plan;
  cli_request request = *plan->request;
  char phase[120];
  uint64_t begin = cli_progress_now();
  request.plain = is_plain;
  request.silent = is_silent;
  snprintf(phase, sizeof phase, "pair %u of at most %u, %s", work->slowdown->pair_count + 1,
           CLI_SLOWDOWN_MAX_PAIRS, is_plain ? "without the profiler" : plan->what);
  cli_watch_say(is_silent ? phase : NULL);
  int exit_code = cli_trials_run(plan->trials, &request,
                                 is_plain ? WASM_PERF_CLOCK_NONE : plan->clock, time, profile);
  work->duration = cli_progress_now() - begin;
  return exit_code;
}

static int run_with_profiler(measurement *work, bool is_silent, uint64_t *time) {
  wasm_perf_profile_free(*work->profile);
  *work->profile = NULL;
  return run_once(work, false, is_silent, time, work->profile);
}

/* A run whose time is unknown, since it used no module, is not counted. */
static void add_pair(measurement *work, uint64_t plain_time, uint64_t time) {
  if (plain_time == 0 || time == 0)
    return;
  uint32_t i = work->slowdown->pair_count++;
  work->plain_times[i] = plain_time;
  work->logarithms[i] = log((double)time / (double)plain_time);
  update(work);
}

/* Runs a pair. Sets *is_last if no other one should follow. */
static int run_pair(measurement *work, bool *is_last) {
  const cli_slowdown_plan *plan = work->plan;
  wasm_perf_profile *none = NULL;
  uint64_t plain_time = 0, time = 0;
  int exit_code = run_once(work, true, true, &plain_time, &none);
  wasm_perf_profile_free(none);
  if (cli_trials_are_over(exit_code))
    return exit_code;
  *is_last = work->slowdown->pair_count + 1 >= CLI_SLOWDOWN_MAX_PAIRS || time_is_up(work) ||
             plain_time == 0;
  exit_code = run_with_profiler(work, !(plan->shows_last && *is_last), &time);
  if (!cli_trials_are_over(exit_code))
    add_pair(work, plain_time, time);
  return exit_code;
}

int cli_slowdown_measure(const cli_slowdown_plan *plan, cli_slowdown *slowdown,
                         wasm_perf_profile **profile) {
  measurement work = {
      .plan = plan, .slowdown = slowdown, .profile = profile, .start = cli_progress_now()};
  bool is_last = false, is_known = false;
  int exit_code = 0;
  *slowdown = (cli_slowdown){0};
  *profile = NULL;
  while (!is_last && !is_known) {
    uint32_t before = slowdown->pair_count;
    exit_code = run_pair(&work, &is_last);
    if (cli_trials_are_over(exit_code))
      return exit_code;
    is_known = slowdown->pair_count == before || plan->is_known(slowdown, plan->user);
  }
  uint64_t unused;
  if (plan->shows_last && !is_last)
    exit_code = run_with_profiler(&work, false, &unused);
  return exit_code;
}
