/* How benchmarks compare with the baseline. */
#ifndef WI_CLI_PERF_BENCH_OUTCOME_H_
#define WI_CLI_PERF_BENCH_OUTCOME_H_

#include "cli/perf/bench/baseline.h"
#include "cli/perf/bench/suite.h"

/* X(ID, name, whether it fails): what became of a benchmark. */
#define CLI_VERDICTS(X)                                                                            \
  X(SAME, "same", false)       /* to the last digit */                                             \
  X(CHANGED, "changed", false) /* by what is allowed, or it shrank */                              \
  X(NEW, "new", false)         /* not in the baseline */                                           \
  X(GREW, "grew", true)        /* by more than is allowed */                                       \
  X(GONE, "gone", true)        /* in the baseline alone */                                         \
  X(FAILED, "failed", true)    /* it counts nothing that can be relied on */

typedef enum cli_verdict {
#define CLI_VERDICT(id, name, fails) CLI_VERDICT_##id,
  CLI_VERDICTS(CLI_VERDICT)
#undef CLI_VERDICT
} cli_verdict;

const char *cli_verdict_name(cli_verdict verdict);
bool cli_verdict_fails(cli_verdict verdict);

typedef struct cli_outcome {
  const char *name; /* borrowed */
  cli_verdict verdict;
  char *problem;           /* of one that failed; owned */
  cli_counts counts;       /* owned */
  const cli_saved *before; /* NULL: there is none. Borrowed */
  cli_percentage growth;   /* that is allowed */
} cli_outcome;

/* Zero it before; clear it after. */
typedef struct cli_outcomes {
  WI_ARRAY(cli_outcome, items); /* owned */
} cli_outcomes;

void cli_outcomes_clear(cli_outcomes *outcomes);

/* Sets outcome->verdict from the rest. */
void cli_outcome_judge(cli_outcome *outcome);

/* Whether the metric is beyond what is allowed. */
bool cli_outcome_exceeds(const cli_outcome *outcome, cli_metric metric);

/* CLI_EXIT_GREW if all that fails is growth, CLI_EXIT_FAILURE if anything else does. */
int cli_outcomes_exit_code(const cli_outcomes *outcomes);

#endif /* WI_CLI_PERF_BENCH_OUTCOME_H_ */
