/* wasm-perf open: the command line. */
#include <stdio.h>

#include "cli/common/parser.h"
#include "cli/perf/commands.h"
#include "cli/perf/common.h"
#include "cli/perf/progress.h"
#include "cli/perf/show/open.h"

#define DEFAULT_WAIT (120 * CLI_SECOND)

enum { OPTION_IN = CLI_OPTIONS_OWN, OPTION_NO_BROWSER, OPTION_WAIT };

static const cli_open_target targets[] = {
    {"html", "a file with flame graph and table, NAME.html in the current folder", "html", NULL,
     NULL},
    {"firefox", "the Firefox Profiler, profiler.firefox.com", "firefox",
     "https://profiler.firefox.com", "https://profiler.firefox.com/from-url/"},
    {"speedscope", "speedscope, www.speedscope.app", "speedscope", "https://www.speedscope.app",
     "https://www.speedscope.app/#profileURL="},
};

static bool target_choice(size_t index, cli_choice *choice) {
  return index < sizeof targets / sizeof *targets &&
         cli_choice_set(choice, targets[index].name, targets[index].help);
}

static int open_main(int argc, char **argv);

static const cli_option open_options[] = {
    {OPTION_IN, "in", CLI_CHOICE("PAGE", target_choice), "where to show it; default: html"},
    {'o', "output", CLI_FILE("FILE.html", "html"),
     "write the page to FILE.html, with --in html; without a profile, default: " CLI_OPEN_EMPTY},
    {OPTION_NO_BROWSER, "no-browser", CLI_NO_VALUE, "start no browser, only print the address"},
    {OPTION_WAIT, "wait", CLI_TEXT("TIME"),
     "wait this long for the page to fetch the profile; default: 2m"},
    {0}};

static const cli_option_group open_group = {NULL, open_options};

const cli_command cli_open_command = {
    .name = "wasm-perf open",
    .is_native = true,
    .summary = "show a profile in a browser",
    .usages = (const char *const[]){"[OPTION]... [FILE.wperf|FILE.html]", NULL},
    .description =
        "Opens a profile, or a page made from one, in a browser, and prints the address. A viewer "
        "on the web fetches the profile from this machine, once. The address cannot be guessed and "
        "answers only that viewer. The command ends after that, or after two minutes. Nothing is "
        "uploaded.\n\nWithout a file, opens an empty page, for files of any profiler: drop one on "
        "it, or two to "
        "compare them. It reads .wperf, .cpuprofile, traces of DevTools, pprof, folded stacks, "
        "speedscope, Firefox profiles and the output of perf script. The page is one file, needs "
        "no server, and sends nothing.",
    .operands = (const cli_operand[]){{.value = CLI_FILE("FILE.wperf", "wperf")}, {0}},
    .groups =
        (const cli_option_group *const[]){&open_group, &cli_view_options, &cli_help_options, NULL},
    .exit_codes = cli_report_exit_codes,
    .examples =
        (const cli_entry[]){{"wasm-perf open app.wperf", "flame graph and table"},
                            {"wasm-perf open app.html", "opens a page that wasm-perf record wrote"},
                            {"wasm-perf open --in firefox app.wperf",
                             "opens the profile in the Firefox Profiler on the web"},
                            {"wasm-perf open", "then drop app.cpuprofile on the page"},
                            {0}},
    .main = open_main,
};

static int parse(cli_open_request *request, int argc, char **argv) {
  cli_parser parser;
  cli_parser_init(&parser, &cli_open_command, argc, argv);
  int option;
  while ((option = cli_parser_next(&parser)) != CLI_OPTIONS_END) {
    switch (option) {
    case OPTION_IN: request->target = &targets[parser.choice]; break;
    case 'o': request->output = parser.value; break;
    case OPTION_NO_BROWSER: request->no_browser = true; break;
    case OPTION_WAIT:
      if (!cli_parse_time(parser.value, &request->wait))
        return cli_usage_error(cli_open_command.name, CLI_TIME_WANTED, "wait", parser.value);
      break;
    default: cli_view_option(&request->view, &parser, option); break;
    }
  }
  if (parser.status != CLI_PROCEED)
    return parser.status;
  if (parser.operand_count > 1)
    return cli_usage_error(cli_open_command.name, "one profile, not %zu", parser.operand_count);
  if (parser.operand_count == 0 && request->target->origin)
    return cli_usage_error(cli_open_command.name, "--in %s needs a profile", request->target->name);
  if (request->output && request->target->origin)
    return cli_usage_error(cli_open_command.name, "-o needs --in html");
  request->input = parser.operand_count > 0 ? parser.operands[0] : NULL;
  return CLI_PROCEED;
}

static int open_main(int argc, char **argv) {
  cli_open_request request = {.target = &targets[0], .wait = DEFAULT_WAIT};
  int status = parse(&request, argc, argv);
  if (status == CLI_PROCEED)
    status = cli_open_show(&request) ? CLI_EXIT_SUCCESS : CLI_EXIT_FAILURE;
  cli_view_clear(&request.view);
  return status;
}
