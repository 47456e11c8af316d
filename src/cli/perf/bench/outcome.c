#include "cli/perf/bench/outcome.h"

#include <stdlib.h>

#include "support/arithmetic.h"

static const struct {
  const char *name;
  bool fails;
} verdicts[] = {
#define CLI_VERDICT(id, name, fails) {name, fails},
    CLI_VERDICTS(CLI_VERDICT)
#undef CLI_VERDICT
};

const char *cli_verdict_name(cli_verdict verdict) {
  return verdicts[verdict].name;
}

bool cli_verdict_fails(cli_verdict verdict) {
  return verdicts[verdict].fails;
}

void cli_outcomes_clear(cli_outcomes *outcomes) {
  for (uint32_t i = 0; i < outcomes->items_count; i++) {
    free(outcomes->items[i].name);
    free(outcomes->items[i].problem);
    cli_counts_clear(&outcomes->items[i].counts);
  }
  free(outcomes->items);
  *outcomes = (cli_outcomes){0};
}

bool cli_outcome_compares(const cli_outcome *outcome, cli_metric metric) {
  return outcome->before && outcome->before->counts.has[metric] && outcome->counts.has[metric];
}

/* Whether the metric grew beyond the allowed growth. */
static bool exceeds(const cli_outcome *outcome, cli_metric metric) {
  if (!cli_metric_is_gated(metric) || !cli_outcome_compares(outcome, metric))
    return false;
  uint64_t before = outcome->before->counts.values[metric], after = outcome->counts.values[metric];
  return after > before &&
         (wi_u128)(after - before) * outcome->growth.whole > (wi_u128)before * outcome->growth.part;
}

static bool changed(const cli_outcome *outcome) {
  for (cli_metric i = 0; i < CLI_METRIC_COUNT; i++)
    if (cli_outcome_compares(outcome, i) &&
        outcome->before->counts.values[i] != outcome->counts.values[i])
      return true;
  return false;
}

static bool grew(const cli_outcome *outcome) {
  for (cli_metric i = 0; i < CLI_METRIC_COUNT; i++)
    if (exceeds(outcome, i))
      return true;
  return false;
}

static cli_verdict judge_time(const cli_interval *change) {
  return change->high < 1  ? CLI_VERDICT_FASTER
         : change->low > 1 ? CLI_VERDICT_SLOWER
                           : CLI_VERDICT_UNCLEAR;
}

void cli_outcome_judge(cli_outcome *outcome) {
  outcome->verdict = outcome->problem            ? CLI_VERDICT_FAILED
                     : outcome->timing.pairs > 0 ? judge_time(&outcome->timing.change)
                     : !outcome->before          ? CLI_VERDICT_NEW
                     : grew(outcome)             ? CLI_VERDICT_GREW
                     : changed(outcome)          ? CLI_VERDICT_CHANGED
                                                 : CLI_VERDICT_SAME;
}

int cli_outcomes_exit_code(const cli_outcomes *outcomes) {
  int exit_code = CLI_EXIT_SUCCESS;
  for (uint32_t i = 0; i < outcomes->items_count; i++) {
    cli_verdict verdict = outcomes->items[i].verdict;
    if (verdict == CLI_VERDICT_GREW && exit_code == CLI_EXIT_SUCCESS)
      exit_code = CLI_EXIT_GREW;
    else if (verdict != CLI_VERDICT_GREW && cli_verdict_fails(verdict))
      exit_code = CLI_EXIT_FAILURE;
  }
  return exit_code;
}
