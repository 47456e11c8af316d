/* wasm-perf view: the command line. */
#include "cli/common/parser.h"
#include "cli/perf/commands.h"
#include "cli/perf/common.h"
#include "cli/perf/show/viewer.h"

#define DEFAULT_OUTPUT "wasm-perf-view.html"

enum { OPTION_NO_BROWSER = CLI_OPTIONS_OWN };

static int view_main(int argc, char **argv);

static const cli_option view_options[] = {
    {'o', "output", CLI_FILE("FILE.html", "html"),
     "write the page to FILE; default: " DEFAULT_OUTPUT " in the current folder"},
    {OPTION_NO_BROWSER, "no-browser", CLI_NO_VALUE, "start no browser, only print the path"},
    {0}};

static const cli_option_group view_group = {NULL, view_options};

const cli_command cli_view_command = {
    .name = "wasm-perf view",
    .is_native = true,
    .summary = "write a page that shows files of any profiler",
    .usages = (const char *const[]){"[OPTION]...", NULL},
    .description =
        "Writes the page of wasm-perf report without a profile, and opens it in a browser. Drop a "
        "file on it: .wperf, .cpuprofile, a trace of DevTools, pprof, folded stacks, speedscope, "
        "Firefox. It compares a second one with the first. The page is one file, needs no server, "
        "and sends nothing.",
    .groups = (const cli_option_group *const[]){&view_group, &cli_help_options, NULL},
    .exit_codes = cli_report_exit_codes,
    .examples = (const cli_entry[]){{"wasm-perf view", "then drop app.cpuprofile on the page"},
                                    {"wasm-perf view -o public/profile.html --no-browser",
                                     "for a web server"},
                                    {0}},
    .main = view_main,
};

static int view_main(int argc, char **argv) {
  const char *path = DEFAULT_OUTPUT;
  bool no_browser = false;
  cli_parser parser;
  cli_parser_init(&parser, &cli_view_command, argc, argv);
  int option;
  while ((option = cli_parser_next(&parser)) != CLI_OPTIONS_END) {
    if (option == 'o')
      path = parser.value;
    else if (option == OPTION_NO_BROWSER)
      no_browser = true;
  }
  if (parser.status != CLI_PROCEED)
    return parser.status;
  if (parser.operand_count > 0)
    return cli_usage_error(cli_view_command.name, "no operands, not '%s'", parser.operands[0]);
  return cli_viewer_show(path, !no_browser) ? CLI_EXIT_SUCCESS : CLI_EXIT_FAILURE;
}
