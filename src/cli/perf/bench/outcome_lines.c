#include "cli/perf/bench/outcome_lines.h"

#include "cli/perf/bench/why.h"
#include "report/diff/change.h"
#include "report/model/units.h"

static char *describe_value(cli_metric metric, wasm_perf_change change) {
  if (change.before == change.after)
    return cli_text("%s %s", wi_format_count(change.after).text, cli_metric_label(metric));
  char before[64], after[64];
  snprintf(before, sizeof before, "%s", wi_format_count(change.before).text);
  snprintf(after, sizeof after, "%s", wi_format_count(change.after).text);
  if (!wi_change_has_percentage(change, change.before))
    return cli_text("%s \xE2\x86\x92 %s %s", before, after, cli_metric_label(metric));
  return cli_text("%s \xE2\x86\x92 %s %s, %s %%", before, after, cli_metric_label(metric),
                  wi_format_change_of(change, change.before).text);
}

static void add_values(const cli_outcome *outcome, cli_list *lines) {
  const cli_saved *saved = outcome->before;
  for (cli_metric i = 0; i < CLI_METRIC_COUNT; i++) {
    bool is_known = cli_outcome_compares(outcome, i);
    uint64_t after = outcome->counts.values[i];
    wasm_perf_change change = {is_known ? saved->counts.values[i] : after, after};
    if (i == CLI_METRIC_INSTRUCTIONS || change.before != change.after)
      cli_list_add(lines, describe_value(i, change));
  }
}

static double percentage(double factor) {
  return (factor - 1) * 100;
}

static void add_time(const cli_outcome *outcome, cli_list *lines) {
  const cli_timing *timing = &outcome->timing;
  const cli_interval *change = &timing->change;
  bool is_unclear = outcome->verdict == CLI_VERDICT_UNCLEAR;
  cli_list_add(lines,
               cli_text("%s%s \xE2\x86\x92 %s, %+.1f %%; with %d %% confidence %+.1f to "
                        "%+.1f %% (%u pairs)",
                        is_unclear ? "no difference can be shown: " : "",
                        wi_format_value(WI_UNIT_NANOSECONDS, timing->before).text,
                        wi_format_value(WI_UNIT_NANOSECONDS, timing->after).text,
                        percentage(change->factor), CLI_INTERVAL_LEVEL, percentage(change->low),
                        percentage(change->high), (unsigned)timing->pairs));
}

cli_list cli_outcome_lines(const cli_outcome *outcome, uint32_t why_limit) {
  cli_list lines = {0};
  if (outcome->verdict == CLI_VERDICT_FAILED)
    cli_list_add(&lines, cli_text("%s", outcome->problem));
  else if (outcome->verdict == CLI_VERDICT_GONE)
    cli_list_add(&lines, cli_text("it is only in the baseline; --save removes it"));
  else if (outcome->timing.pairs > 0)
    add_time(outcome, &lines);
  else
    add_values(outcome, &lines);
  if (outcome->verdict == CLI_VERDICT_GREW || outcome->verdict == CLI_VERDICT_CHANGED)
    cli_why_add(outcome, why_limit, &lines);
  return lines;
}
