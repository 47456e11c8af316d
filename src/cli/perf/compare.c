#include "cli/perf/compare.h"

#include "cli/perf/trials.h"

/* -1 where the program could not be run. */
static int run_both(const cli_trials *trials, const cli_request *request, const char *clock,
                    wasm_perf_profile **profile) {
  cli_request plain = *request;
  uint64_t plain_time, time;
  plain.plain = plain.silent = true;
  if (cli_trials_run(trials, &plain, clock, &plain_time, profile) < 0)
    return -1;
  int exit_code = cli_trials_run(trials, request, clock, &time, profile);
  if (*profile) {
    (*profile)->facts.run_time = time;
    (*profile)->facts.plain_run_time = plain_time;
  }
  return exit_code;
}

int cli_compare_run(const cli_request *request, const char *clock, char *const *words,
                    const char *folder, const char *share_folder, wasm_perf_profile **profile) {
  cli_trials trials;
  *profile = NULL;
  int exit_code = cli_trials_init(&trials, words, folder, share_folder)
                      ? run_both(&trials, request, clock, profile)
                      : -1;
  cli_trials_clear(&trials);
  return exit_code;
}
