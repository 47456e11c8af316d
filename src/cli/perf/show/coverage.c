#include "cli/perf/show/coverage.h"

#include <inttypes.h>

#include "cli/common/exit_codes.h"
#include "cli/common/message.h"
#include "report/model/coverage.h"
#include "support/arithmetic.h"

enum { OPTION_COVERAGE_OF = CLI_OPTIONS_COVERAGE, OPTION_FAIL_UNDER };

static const cli_option options[] = {
    {OPTION_COVERAGE_OF, "coverage-of", CLI_TEXT("GLOB"),
     "only source files that match GLOB, such as 'src/*', where * also matches slashes; "
     "repeatable. Default: all except system headers, standard libraries and dependencies"},
    {OPTION_FAIL_UNDER, "fail-under", CLI_TEXT("N%"),
     "exit with 3 if less than N % of the lines, or of the branches, were executed"},
    {0}};

const cli_option_group cli_coverage_options = {"Coverage", options};

bool cli_coverage_option(cli_coverage *coverage, const cli_parser *parser, int option,
                         const char *command, int *status) {
  *status = CLI_PROCEED;
  switch (option) {
  case OPTION_COVERAGE_OF: cli_list_add(&coverage->files, cli_text("%s", parser->value)); break;
  case OPTION_FAIL_UNDER:
    coverage->limit_text = parser->value;
    if (!cli_parse_percentage(parser->value, &coverage->limit) ||
        coverage->limit.part > coverage->limit.whole)
      *status = cli_usage_error(command, "--fail-under wants at most 100%%, like 80%%, not '%s'",
                                parser->value);
    break;
  default: return false;
  }
  return true;
}

void cli_coverage_choose(const cli_coverage *coverage, wasm_perf_report_options *chosen) {
  if (coverage->files.count > 0)
    chosen->coverage_of = (const char *const *)coverage->files.items;
}

/* Whether the share reaches the limit, exactly. */
static bool reaches(const cli_coverage *coverage, const wi_covered_share *share) {
  const cli_percentage *limit = &coverage->limit;
  return (wi_u128)share->hit_count * limit->whole >= (wi_u128)share->count * limit->part;
}

static int judge(const cli_coverage *coverage, const wi_coverage *found) {
  const wi_covered_share *lines = &found->sums.lines, *branches = &found->sums.branches;
  if (lines->count == 0)
    cli_message("wasm-perf: coverage: no lines of the program; compile it with -g, or choose files "
                "with --coverage-of");
  else if (branches->count > 0)
    cli_message("wasm-perf: coverage: %s of %" PRIu64 " lines, %s of %" PRIu64 " ways of branches",
                wi_covered_percent(lines).text, lines->count, wi_covered_percent(branches).text,
                branches->count);
  else
    cli_message("wasm-perf: coverage: %s of %" PRIu64 " lines", wi_covered_percent(lines).text,
                lines->count);
  if (!coverage->limit_text ||
      (lines->count > 0 && reaches(coverage, lines) && reaches(coverage, branches)))
    return CLI_EXIT_SUCCESS;
  cli_message("wasm-perf: coverage is below --fail-under %s", coverage->limit_text);
  return CLI_EXIT_GREW;
}

int cli_coverage_judge(const cli_coverage *coverage, const wasm_perf_profile *profile) {
  wi_coverage found;
  wasm_perf_report_options chosen = {0};
  cli_coverage_choose(coverage, &chosen);
  if (!wi_coverage_init(&found, profile, &chosen))
    return cli_error(NULL, "out of memory");
  int exit_code = judge(coverage, &found);
  wi_coverage_clear(&found);
  return exit_code;
}

void cli_coverage_clear(cli_coverage *coverage) {
  cli_list_clear(&coverage->files);
}
