/* Describes a benchmark's outcome in words. */
#ifndef WI_CLI_PERF_BENCH_OUTCOME_LINES_H_
#define WI_CLI_PERF_BENCH_OUTCOME_LINES_H_

#include "cli/perf/bench/outcome.h"

/*
 * Lines about a benchmark: its counts, or its changes and the up to `why_limit` functions that
 * cause them. The caller clears the list.
 */
cli_list cli_outcome_lines(const cli_outcome *outcome, uint32_t why_limit);

#endif /* WI_CLI_PERF_BENCH_OUTCOME_LINES_H_ */
