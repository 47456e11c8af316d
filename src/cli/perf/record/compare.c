#include "cli/perf/record/compare.h"

#include "cli/common/message.h"
#include "cli/perf/record/trials.h"
#include "cli/perf/record/watch.h"
#include "report/model/units.h"

static void note_result(wasm_perf_profile *profile, uint64_t time, uint64_t plain_time) {
  cli_watch_clear_line();
  profile->facts.run_time = time;
  profile->facts.plain_run_time = plain_time;
  if (time > 0 && plain_time > 0)
    cli_message("wasm-perf: %s with the profiler, %s without: %s times",
                wi_format_value(WI_UNIT_NANOSECONDS, time).text,
                wi_format_value(WI_UNIT_NANOSECONDS, plain_time).text,
                wi_format_quotient(time, plain_time, 2).text);
}

static int run_both(const cli_trials *trials, const cli_request *request, wasm_perf_clock clock,
                    wasm_perf_profile **profile) {
  cli_request plain = *request;
  uint64_t plain_time, time;
  plain.plain = plain.silent = true;
  cli_watch_say("run 1 of 2, without the profiler");
  int exit_code = cli_trials_run(trials, &plain, WASM_PERF_CLOCK_NONE, &plain_time, profile);
  cli_watch_say(NULL);
  if (cli_trials_are_over(exit_code)) {
    cli_watch_clear_line();
    cli_message("wasm-perf: stopped in the run without the profiler: there is no profile");
    return exit_code;
  }
  exit_code = cli_trials_run(trials, request, clock, &time, profile);
  if (*profile && !cli_trials_are_over(exit_code))
    note_result(*profile, time, plain_time);
  return exit_code;
}

int cli_compare_run(const cli_request *request, wasm_perf_clock clock, char *const *words,
                    const char *folder, const char *share_folder, wasm_perf_profile **profile) {
  cli_trials trials;
  *profile = NULL;
  int exit_code = cli_trials_init(&trials, words, folder, share_folder, request->failure)
                      ? run_both(&trials, request, clock, profile)
                      : -1;
  cli_trials_clear(&trials);
  return exit_code;
}
