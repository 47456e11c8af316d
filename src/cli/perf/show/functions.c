/* wasm-perf functions: the names that callers, callees and annotate accept. */
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli/common/file.h"
#include "cli/common/message.h"
#include "cli/common/parser.h"
#include "cli/perf/commands.h"
#include "cli/perf/common.h"
#include "cli/perf/input/profiles.h"
#include "cli/perf/show/view.h"

static int functions_main(int argc, char **argv);

enum { OPTION_MATCH = CLI_OPTIONS_OWN };

static const cli_option functions_options[] = {
    {OPTION_MATCH, "match", CLI_TEXT("PATTERN"),
     "only functions that match PATTERN: a glob with * and ?, or a part of a name"},
    {'n', "limit", CLI_NUMBER("ROWS", 1), "how many to show; default: all"},
    {0}};

static const cli_option_group functions_group = {NULL, functions_options};

const cli_command cli_functions_command = {
    .name = "wasm-perf functions",
    .summary = "list the names of the functions that were called",
    .usages = (const char *const[]){"[OPTION]... FILE.wperf", NULL},
    .description = "Lists the names of the called functions, sorted, one per line; '-' reads the "
                   "profile from standard input. callers, callees and annotate accept these names "
                   "as FUNC, and shells complete them.",
    .operands = (const cli_operand[]){{.value = CLI_FILE("FILE.wperf", "wperf")}, {0}},
    .groups = (const cli_option_group *const[]){&functions_group, &cli_view_options,
                                                &cli_help_options, NULL},
    .exit_codes = cli_report_exit_codes,
    .examples = (const cli_entry[]){{"wasm-perf functions --match 'parse_*' app.wperf",
                                     "lists the called functions that match"},
                                    {0}},
    .is_unlisted = true,
    .main = functions_main,
};

/* Strings are borrowed from argv. */
typedef struct functions_request {
  const char *input; /* "-": stdin */
  const char *pattern;
  uint32_t limit;
  cli_view view;
} functions_request;

static int parse(functions_request *request, int argc, char **argv) {
  cli_parser parser;
  cli_parser_init(&parser, &cli_functions_command, argc, argv);
  int option;
  while ((option = cli_parser_next(&parser)) != CLI_OPTIONS_END) {
    switch (option) {
    case OPTION_MATCH: request->pattern = parser.value; break;
    case 'n': request->limit = parser.number; break;
    default: cli_view_option(&request->view, &parser, option); break;
    }
  }
  if (parser.status != CLI_PROCEED)
    return parser.status;
  if (parser.operand_count != 1)
    return cli_usage_error(cli_functions_command.name, "one profile is needed, not %zu arguments",
                           parser.operand_count);
  request->input = parser.operands[0];
  return CLI_PROCEED;
}

static bool list(const functions_request *request, const wasm_perf_profile *profile) {
  uint32_t count;
  char **names = wasm_perf_find_functions(profile, request->pattern, &count);
  if (!names) {
    cli_error(NULL, "out of memory");
    return false;
  }
  for (uint32_t i = 0; i < count && i < request->limit; i++)
    puts(names[i]);
  free(names);
  if (fflush(stdout) == 0 && !ferror(stdout))
    return true;
  cli_message_unwritten("wasm-perf", wi_file_output_name("-"));
  return false;
}

static int functions_main(int argc, char **argv) {
  functions_request request = {.pattern = "*", .limit = UINT32_MAX};
  int status = parse(&request, argc, argv);
  if (status == CLI_PROCEED) {
    signal(SIGPIPE, SIG_DFL); /* end silently in `| head`, even if the parent ignores the signal */
    wasm_perf_value value;
    wasm_perf_profile *profile = cli_profile_load(request.input, &request.view, &value);
    status = profile && list(&request, profile) ? 0 : CLI_EXIT_FAILURE;
    wasm_perf_profile_free(profile);
  }
  cli_view_clear(&request.view);
  return status;
}
