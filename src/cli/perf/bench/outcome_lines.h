/* What became of a benchmark, in words. */
#ifndef WI_CLI_PERF_BENCH_OUTCOME_LINES_H_
#define WI_CLI_PERF_BENCH_OUTCOME_LINES_H_

#include "cli/perf/bench/outcome.h"

/*
 * What there is to say of a benchmark, a line each: what it counted, or what changed and, of up to
 * `why_limit` functions, why. The caller clears it.
 */
cli_list cli_outcome_lines(const cli_outcome *outcome, uint32_t why_limit);

#endif /* WI_CLI_PERF_BENCH_OUTCOME_LINES_H_ */
