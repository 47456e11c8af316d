/* Explains a benchmark's change by functions, calls and lines. */
#ifndef WI_CLI_PERF_BENCH_WHY_H_
#define WI_CLI_PERF_BENCH_WHY_H_

#include "cli/perf/bench/outcome.h"

/*
 * Appends a line for each of the `limit` functions whose self instructions changed most, with the
 * callers and source lines that changed: "hash: +1,000 instructions, 5 → 6 calls; by main 1 → 2; at
 * table.c:12 +1,000". If some of them have no name, a last line says how to keep names.
 */
void cli_why_add(const cli_outcome *outcome, uint32_t limit, cli_list *lines);

#endif /* WI_CLI_PERF_BENCH_WHY_H_ */
