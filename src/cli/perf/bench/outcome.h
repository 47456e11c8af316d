/* Compares benchmarks with the baseline. */
#ifndef WI_CLI_PERF_BENCH_OUTCOME_H_
#define WI_CLI_PERF_BENCH_OUTCOME_H_

#include "cli/perf/bench/baseline.h"
#include "cli/perf/bench/suite.h"
#include "cli/perf/bench/timing.h"

/* X(ID, name, whether it fails): verdicts on a benchmark. */
#define CLI_VERDICTS(X)                                                                            \
  X(SAME, "same", false)       /* all counts are equal */                                          \
  X(CHANGED, "changed", false) /* within the allowed growth, or shrank */                          \
  X(NEW, "new", false)         /* not in the baseline */                                           \
  X(GREW, "grew", true)        /* beyond the allowed growth */                                     \
  X(GONE, "gone", true)        /* only in the baseline */                                          \
  X(FAILED, "failed", true)    /* its counts are not reliable */                                   \
  X(FASTER, "faster", false)   /* these are of times, which never fail */                          \
  X(SLOWER, "slower", false)                                                                       \
  X(UNCLEAR, "unclear", false) /* no difference can be shown */

typedef enum cli_verdict {
#define CLI_VERDICT(id, name, fails) CLI_VERDICT_##id,
  CLI_VERDICTS(CLI_VERDICT)
#undef CLI_VERDICT
} cli_verdict;

const char *cli_verdict_name(cli_verdict verdict);
bool cli_verdict_fails(cli_verdict verdict);

typedef struct cli_outcome {
  char *name;      /* owned */
  bool is_measure; /* of a benchmark, not the benchmark itself */
  cli_verdict verdict;
  char *problem;           /* why it failed; owned */
  cli_counts counts;       /* owned */
  const cli_saved *before; /* NULL if new; borrowed */
  cli_timing timing;       /* in place of counts, if it has pairs */
  cli_percentage growth;   /* allowed growth */
} cli_outcome;

/* Zero it before use; clear it afterwards. */
typedef struct cli_outcomes {
  WI_ARRAY(cli_outcome, items); /* owned */
} cli_outcomes;

void cli_outcomes_clear(cli_outcomes *outcomes);

/* Sets outcome->verdict from the other fields. */
void cli_outcome_judge(cli_outcome *outcome);

/* Whether the metric is known before and after. */
bool cli_outcome_compares(const cli_outcome *outcome, cli_metric metric);

/* 0, CLI_EXIT_GREW if benchmarks only grew, or CLI_EXIT_FAILURE if one failed otherwise. */
int cli_outcomes_exit_code(const cli_outcomes *outcomes);

#endif /* WI_CLI_PERF_BENCH_OUTCOME_H_ */
