/* The options of coverage, and the limit below which it fails. */
#ifndef WI_CLI_PERF_SHOW_COVERAGE_H_
#define WI_CLI_PERF_SHOW_COVERAGE_H_

#include "cli/common/parser.h"
#include "cli/perf/common.h"
#include "wasm_perf/report.h"

/* Zero it before use; clear it afterwards. Texts are borrowed from argv. */
typedef struct cli_coverage {
  cli_list files;         /* globs of --coverage-of */
  const char *limit_text; /* of --fail-under; NULL: there is no limit */
  cli_percentage limit;
} cli_coverage;

extern const cli_option_group cli_coverage_options;

/*
 * Applies `option`, which `parser` has just returned, if it is of this group; otherwise returns
 * false. Sets *status to CLI_PROCEED, or to the exit code for wrong usage of `command`, which was
 * printed.
 */
bool cli_coverage_option(cli_coverage *coverage, const cli_parser *parser, int option,
                         const char *command, int *status);

/* Chooses the files in report options, which borrow the list. */
void cli_coverage_choose(const cli_coverage *coverage, wasm_perf_report_options *options);

/*
 * Prints the shares of executed lines and branches on stderr. Returns CLI_EXIT_GREW if one of them
 * is below the limit, or if there are no lines; otherwise 0.
 */
int cli_coverage_judge(const cli_coverage *coverage, const wasm_perf_profile *profile);

void cli_coverage_clear(cli_coverage *coverage);

#endif /* WI_CLI_PERF_SHOW_COVERAGE_H_ */
