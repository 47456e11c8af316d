/* wasm-perf report: shows a profile. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli/common/parser.h"
#include "cli/perf/commands.h"
#include "cli/perf/profiles.h"
#include "cli/perf/tables.h"
#include "cli/perf/terminal.h"
#include "cli/perf/view.h"

static int report_main(int argc, char **argv);

static bool format_choice(size_t index, cli_choice *choice) {
  const wasm_perf_report_format *format = &wasm_perf_report_formats[index];
  if (!format->name)
    return false;
  snprintf(choice->name, sizeof choice->name, "%s", format->name);
  choice->help = format->summary;
  return true;
}

static const cli_option report_options[] = {
    {'f', "format", CLI_CHOICE("FORMAT", format_choice),
     "how to show it; default: what the name of the output asks for, else top"},
    {'o', "output", CLI_FILE("FILE", NULL), "write to FILE instead of stdout"},
    {0}};

static const cli_option_group report_group = {NULL, report_options};

const cli_command cli_report_command = {
    .name = "wasm-perf report",
    .summary = "show a profile",
    .usages = (const char *const[]){"[OPTION]... FILE.wperf", NULL},
    .description = "Shows a profile; '-' reads it from standard input.",
    .operands = (const cli_operand[]){{.value = CLI_FILE("FILE.wperf", "wperf")}, {0}},
    .groups = (const cli_option_group *const[]){&report_group, &cli_view_options, &cli_help_options,
                                                NULL},
    .exit_codes = cli_report_exit_codes,
    .examples = (const cli_entry[]){{"wasm-perf report app.wperf", "a table of functions"},
                                    {"wasm-perf report app.wperf -o app.svg",
                                     "a flame graph; the name of the output chooses the format"},
                                    {"wasm-perf report --format folded app.wperf | sort",
                                     "one line for each stack"},
                                    {0}},
    .main = report_main,
};

/* Strings are borrowed from argv. */
typedef struct report_request {
  const char *input;  /* "-": stdin */
  const char *output; /* "-": stdout */
  cli_view view;
  const wasm_perf_report_format *format; /* NULL until chosen: by the output's name */
} report_request;

static int choose_format(report_request *request) {
  if (request->format)
    return CLI_PROCEED;
  if (strcmp(request->output, "-") == 0)
    request->format = wasm_perf_report_format_find("top");
  else
    request->format = cli_format_for_path(request->output);
  if (request->format)
    return CLI_PROCEED;
  return cli_usage_error(cli_report_command.name, "the name '%s' tells no format; give --format",
                         request->output);
}

static int parse(report_request *request, int argc, char **argv) {
  cli_parser parser;
  cli_parser_init(&parser, &cli_report_command, argc, argv);
  int option;
  while ((option = cli_parser_next(&parser)) != CLI_OPTIONS_END) {
    switch (option) {
    case 'f': request->format = &wasm_perf_report_formats[parser.choice]; break;
    case 'o': request->output = parser.value; break;
    default: cli_view_option(&request->view, &parser, option); break;
    }
  }
  if (parser.status != CLI_PROCEED)
    return parser.status;
  if (parser.operand_count != 1)
    return cli_usage_error(cli_report_command.name, "one profile is needed, not %zu",
                           parser.operand_count);
  request->input = parser.operands[0];
  return choose_format(request);
}

static int report_main(int argc, char **argv) {
  report_request request = {.output = "-"};
  int status = parse(&request, argc, argv);
  if (status != CLI_PROCEED)
    return status;
  wasm_perf_report_options options = {.title = cli_basename(request.input)};
  if (strcmp(request.output, "-") == 0) {
    options.width = cli_terminal_width();
    options.uses_color = cli_terminal_has_color();
  }
  wasm_perf_profile *profile = cli_profile_load(request.input, &request.view);
  bool done = profile && cli_profile_write(profile, request.format, &options, request.output);
  wasm_perf_profile_free(profile);
  return done ? 0 : CLI_EXIT_FAILURE;
}
