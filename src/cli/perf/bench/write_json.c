/* Writes outcomes as JSON, for programs. */
#include "cli/perf/bench/outcome_lines.h"
#include "cli/perf/bench/writers.h"
#include "support/json_writer.h"

static void put_values(wi_json *json, const char *key, const cli_counts *counts) {
  wi_json_open(json, key, '{');
  for (cli_metric i = 0; i < CLI_METRIC_COUNT; i++)
    if (counts->has[i])
      wi_json_integer(json, cli_metric_name(i), counts->values[i]);
  wi_json_close(json, '}');
}

/* A factor to six decimals. */
static void put_factor(wi_json *json, const char *key, double factor) {
  enum { DECIMALS = 6, SCALE = 1000000 };
  wi_json_decimal(json, key, (uint64_t)(factor * SCALE + 0.5), DECIMALS);
}

static void put_timing(wi_json *json, const cli_timing *timing) {
  wi_json_open(json, "time", '{');
  wi_json_integer(json, "pairs", timing->pairs);
  wi_json_integer(json, "before_ns", timing->before);
  wi_json_integer(json, "after_ns", timing->after);
  put_factor(json, "factor", timing->change.factor);
  put_factor(json, "low", timing->change.low);
  put_factor(json, "high", timing->change.high);
  wi_json_close(json, '}');
}

static void put_outcome(wi_json *json, const cli_outcome *outcome, uint32_t why_limit) {
  cli_list lines = cli_outcome_lines(outcome, why_limit);
  bool is_timed = outcome->timing.pairs > 0;
  bool is_counted = outcome->verdict != CLI_VERDICT_FAILED && outcome->verdict != CLI_VERDICT_GONE;
  wi_json_open(json, NULL, '{');
  wi_json_string(json, "name", outcome->name);
  wi_json_string(json, "verdict", cli_verdict_name(outcome->verdict));
  if (outcome->before)
    put_values(json, "before", &outcome->before->counts);
  if (is_timed)
    put_timing(json, &outcome->timing);
  else if (is_counted)
    put_values(json, "after", &outcome->counts);
  wi_json_open(json, "text", '[');
  for (size_t i = 0; i < lines.count; i++)
    wi_json_string(json, NULL, lines.items[i]);
  wi_json_close(json, ']');
  wi_json_close(json, '}');
  cli_list_clear(&lines);
}

void cli_bench_write_json(const cli_outcomes *outcomes, uint32_t why_limit, FILE *stream) {
  wi_json json;
  wi_json_init(&json, stream);
  wi_json_open(&json, NULL, '{');
  wi_json_string(&json, "tool", wi_version());
  wi_json_open(&json, "benchmarks", '[');
  for (uint32_t i = 0; i < outcomes->items_count; i++)
    put_outcome(&json, &outcomes->items[i], why_limit);
  wi_json_close(&json, ']');
  wi_json_close(&json, '}');
  wi_json_finish(&json);
}
