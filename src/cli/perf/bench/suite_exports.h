/* A benchmark for each export: invoke = "bench_*". */
#ifndef WI_CLI_PERF_BENCH_SUITE_EXPORTS_H_
#define WI_CLI_PERF_BENCH_SUITE_EXPORTS_H_

#include "cli/perf/bench/suite.h"

/*
 * Replaces each benchmark whose `invoke` has '*' or '?' by one for each exported function that
 * matches it, called NAME/EXPORT. False on failure, after an error on stderr, and if none matches.
 */
bool cli_suite_expand(cli_suite *suite);

#endif /* WI_CLI_PERF_BENCH_SUITE_EXPORTS_H_ */
