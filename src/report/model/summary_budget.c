#include "report/model/summary_budget.h"

#include <stdio.h>

#include "report/model/units.h"

#define MILLION 1000000u

/*
 * The overhead as a percentage of the run without hooks. A short run, or one that was faster with
 * hooks by more than the error, yields no result.
 */
static void format_measured(const wasm_perf_facts *facts, char *text, size_t size) {
  uint64_t run = facts->run_time, plain = facts->plain_run_time;
  uint64_t difference = run > plain ? run - plain : plain - run;
  if (plain < WI_BUDGET_SHORT_RUN || (run < plain && difference > facts->run_time_error))
    snprintf(text, size, "which cannot be measured in a run this short");
  else
    snprintf(text, size, "measured %s%s ± %s %%", run < plain ? "\u2212" : "",
             wi_format_percentage(difference, plain, 1).text,
             wi_format_percentage(facts->run_time_error, plain, 1).text);
}

void wi_summary_budget(const wasm_perf_facts *facts, char text[WI_BUDGET_TEXT_SIZE]) {
  char measured[200];
  format_measured(facts, measured, sizeof measured);
  snprintf(text, WI_BUDGET_TEXT_SIZE,
           "Hooks for a budget of %s %%: predicted to cost %s %%, %s; hooked functions have %s %% "
           "of the measured cost",
           wi_format_percentage(facts->budget, MILLION, 1).text,
           wi_format_percentage(facts->predicted_overhead, MILLION, 1).text, measured,
           wi_format_percentage(facts->attributed_share, MILLION, 1).text);
}
