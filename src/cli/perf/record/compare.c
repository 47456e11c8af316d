#include "cli/perf/record/compare.h"

#include "cli/common/message.h"
#include "cli/perf/record/slowdown.h"
#include "cli/perf/record/watch.h"
#include "report/model/summary_slowdown.h"

/* The interval is at most a tenth of the estimate. */
static bool is_narrow(const cli_slowdown *slowdown, const void *user) {
  (void)user;
  return cli_slowdown_has_interval(slowdown) &&
         slowdown->high - slowdown->low <= slowdown->time / 10;
}

static void note_result(wasm_perf_profile *profile, const cli_slowdown *slowdown) {
  char text[WI_SLOWDOWN_TEXT_SIZE];
  cli_watch_clear_line();
  cli_slowdown_note(slowdown, &profile->facts);
  wi_summary_slowdown(&profile->facts, text);
  cli_message("wasm-perf: %s", text);
}

static int measure(const cli_slowdown_plan *plan, wasm_perf_profile **profile) {
  cli_slowdown slowdown;
  int exit_code = cli_slowdown_measure(plan, &slowdown, profile);
  if (cli_trials_are_over(exit_code) && !*profile) {
    cli_watch_clear_line();
    cli_message("wasm-perf: stopped before the profiled run: there is no profile");
  } else if (*profile && slowdown.plain_time > 0) {
    note_result(*profile, &slowdown);
  }
  return exit_code;
}

int cli_compare_run(const cli_request *request, wasm_perf_clock clock, char *const *words,
                    const char *folder, const char *share_folder, wasm_perf_profile **profile) {
  cli_trials trials;
  const cli_slowdown_plan plan = {.trials = &trials,
                                  .request = request,
                                  .clock = clock,
                                  .what = "with the profiler",
                                  .shows_last = true,
                                  .is_known = is_narrow};
  *profile = NULL;
  int exit_code = cli_trials_init(&trials, words, folder, share_folder, request->failure)
                      ? measure(&plan, profile)
                      : -1;
  cli_trials_clear(&trials);
  return exit_code;
}
