/* wasm-perf explain: a profile in one screen. */
#include <signal.h>
#include <stdio.h>

#include "cli/common/file.h"
#include "cli/common/parser.h"
#include "cli/perf/commands.h"
#include "cli/perf/common.h"
#include "cli/perf/input/profiles.h"
#include "cli/perf/show/view.h"
#include "wasm_perf/report.h"

static const wasm_perf_report_format *const forms[] = {
    &wasm_perf_explained, &wasm_perf_explained_markdown, &wasm_perf_explained_json};

static int explain_main(int argc, char **argv);

static bool form_choice(size_t index, cli_choice *choice) {
  return index < sizeof forms / sizeof *forms &&
         cli_choice_set(choice, forms[index]->name, forms[index]->summary);
}

static const cli_option explain_options[] = {
    {'f', "format", CLI_CHOICE("FORMAT", form_choice), "format; default: text"},
    {'o', "output", CLI_FILE("FILE", NULL), "write to FILE instead of stdout"},
    {0}};

static const cli_option_group explain_group = {NULL, explain_options};

const cli_command cli_explain_command = {
    .name = "wasm-perf explain",
    .summary = "summarise a profile in one screen",
    .usages = (const char *const[]){"[OPTION]... FILE.wperf", NULL},
    .description =
        "Summarises a profile in at most one screen: totals, the functions with the highest cost, "
        "the heaviest path, the hottest lines if they were counted, what makes the results "
        "unreliable, and the commands to run next; '-' reads the profile from standard input.",
    .operands = (const cli_operand[]){{.value = CLI_FILE("FILE.wperf", "wperf")}, {0}},
    .groups = (const cli_option_group *const[]){&explain_group, &cli_view_options,
                                                &cli_help_options, NULL},
    .exit_codes = cli_report_exit_codes,
    .examples = (const cli_entry[]){{"wasm-perf explain --format md app.wperf",
                                     "the summary as Markdown, for an issue"},
                                    {0}},
    .main = explain_main,
};

typedef struct explain_request {
  const wasm_perf_report_format *form;
  const char *output; /* "-": stdout */
  cli_view view;
} explain_request;

static int explain(const explain_request *request, const char *input) {
  wasm_perf_report_options options = {.title = input};
  wasm_perf_profile *profile = cli_profile_load(input, &request->view, &options.value);
  bool done = profile && cli_profile_write(profile, request->form, &options, request->output, NULL);
  wasm_perf_profile_free(profile);
  return done ? 0 : CLI_EXIT_FAILURE;
}

static int explain_main(int argc, char **argv) {
  explain_request request = {.form = forms[0], .output = "-"};
  cli_parser parser;
  cli_parser_init(&parser, &cli_explain_command, argc, argv);
  int option;
  while ((option = cli_parser_next(&parser)) != CLI_OPTIONS_END) {
    switch (option) {
    case 'f': request.form = forms[parser.choice]; break;
    case 'o': request.output = parser.value; break;
    default: cli_view_option(&request.view, &parser, option); break;
    }
  }
  int status = parser.status;
  if (status == CLI_PROCEED && parser.operand_count != 1)
    status = cli_usage_error(cli_explain_command.name, "one profile is needed, not %zu arguments",
                             parser.operand_count);
  signal(SIGPIPE, SIG_DFL); /* end silently in `| head`, even if the parent ignores the signal */
  if (status == CLI_PROCEED)
    status = explain(&request, parser.operands[0]);
  cli_view_clear(&request.view);
  return status;
}
