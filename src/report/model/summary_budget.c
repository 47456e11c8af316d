#include "report/model/summary_budget.h"

#include <stdbool.h>
#include <stdio.h>

#include "report/model/summary_slowdown.h"
#include "report/model/units.h"
#include "support/arithmetic.h"

#define MILLION 1000000u

/* What the measured overhead, difference ± error, says about the budget. */
static const char *judge(const wasm_perf_facts *facts, bool is_faster, uint64_t difference) {
  uint64_t allowed = wi_scale(facts->budget, MILLION, facts->plain_run_time);
  uint64_t error = facts->run_time_error;
  if (!is_faster && difference > wi_saturating_add(allowed, error))
    return ", which is over the budget";
  bool is_kept = is_faster ? error <= wi_saturating_add(allowed, difference)
                           : wi_saturating_add(difference, error) <= allowed;
  return is_kept ? "" : ", too inexact to tell whether that is within the budget";
}

/*
 * The overhead as a percentage of the run without hooks. A short run, or one that was faster with
 * hooks by more than the error, yields no result.
 */
static void format_measured(const wasm_perf_facts *facts, char *text, size_t size) {
  uint64_t run = facts->run_time, plain = facts->plain_run_time;
  uint64_t difference = run > plain ? run - plain : plain - run;
  bool is_faster = run<plain, has_error = facts->run_time_error> 0;
  if (plain < WI_BUDGET_SHORT_RUN ||
      (has_error && is_faster && difference > facts->run_time_error)) {
    snprintf(text, size, "which cannot be measured in a run this short");
    return;
  }
  int used = snprintf(text, size, "measured %s%s ", is_faster ? "\u2212" : "",
                      wi_format_percentage(difference, plain, 1).text);
  if (has_error)
    snprintf(text + used, size - (size_t)used, "± %s %%%s",
             wi_format_percentage(facts->run_time_error, plain, 1).text,
             judge(facts, is_faster, difference));
  else {
    used += snprintf(text + used, size - (size_t)used, "%% ");
    wi_summary_few_pairs(facts, text + used, size - (size_t)used);
  }
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
