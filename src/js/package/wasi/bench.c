/* cli/perf/bench/bench.h for the npm package, whose parser refuses the command. */
#include "cli/perf/bench/bench.h"

#include "cli/common/exit_codes.h"

int cli_bench_run(cli_bench_request *request) {
  (void)request;
  return CLI_EXIT_USAGE;
}
