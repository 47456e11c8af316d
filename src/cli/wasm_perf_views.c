/* wasm-perf top, tree, callers and callees: profiles in a terminal. */
#include "cli/wasm_perf_cli.h"

#include <getopt.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli/terminal.h"

#define MAX_LISTED 20u /* functions that a message names */

/* Strings are borrowed from argv. */
typedef struct view_request {
  const char *command;
  const char *pattern; /* of the function; NULL where the view is of all */
  const char *input;   /* "-": stdin */
  const char *output;  /* "-": stdout */
  cli_view view;
  wasm_perf_report_options options;
  bool has_width;
  bool has_color;
} view_request;

typedef struct view_command {
  const char *usage;
  const struct option *long_options;
  const char *option_usage;
  bool needs_function;
} view_command;

enum {
  OPTION_SORT = 256,
  OPTION_DEPTH,
  OPTION_MIN_SHARE,
  OPTION_WIDTH,
  OPTION_COLOR,
  OPTION_HOST,
  OPTION_RAW,
  OPTION_NO_DEMANGLE,
};

/* clang-format off */
#define COMMON_OPTIONS                                     \
  {"limit", required_argument, NULL, 'n'},                 \
  {"output", required_argument, NULL, 'o'},                \
  {"width", required_argument, NULL, OPTION_WIDTH},        \
  {"color", required_argument, NULL, OPTION_COLOR},        \
  {"host", required_argument, NULL, OPTION_HOST},          \
  {"raw", no_argument, NULL, OPTION_RAW},                  \
  {"no-demangle", no_argument, NULL, OPTION_NO_DEMANGLE},  \
  {"help", no_argument, NULL, 'h'},                        \
  {0}

static const struct option top_options[] = {
  {"sort", required_argument, NULL, OPTION_SORT},
  COMMON_OPTIONS,
};
static const struct option tree_options[] = {
  {"depth", required_argument, NULL, OPTION_DEPTH},
  {"min-share", required_argument, NULL, OPTION_MIN_SHARE},
  COMMON_OPTIONS,
};
/* clang-format on */

static const char top_option_usage[] =
    "  -n, --limit ROWS          at most so many functions; default: 50\n"
    "      --sort self|total|calls\n"
    "                            which are the first; default: self\n";

static const char tree_option_usage[] =
    "  -n, --limit ROWS          at most so many stacks, the largest ones; default: 100\n"
    "      --depth LEVELS        at most so many levels; default: 40\n"
    "      --min-share PERCENT   leave out what has less than that of the first line, or of all\n"
    "                            that ran; 0 shows all; default: 1\n";

static const char common_option_usage[] =
    "      --width COLUMNS       shorten names until lines fit; default: that of the terminal, if\n"
    "                            there is one; 0: never\n"
    "      --color auto|always|never\n"
    "                            default: auto, which is in a terminal, if NO_COLOR is not set\n"
    "  -o, --output FILE         write to FILE instead of stdout\n"
    "      --host show|hide      hide: leave out the calls of the host that wasm-instrument\n"
    "                            --host-calls gave frames of their own, and their time\n"
    "      --raw                 leave the time in that the hooks themselves took\n"
    "      --no-demangle         leave mangled names as they are\n"
    "  -h, --help                print this help\n";

static const char function_usage[] =
    "\n"
    "FUNC is a function's name; else a glob with * and ? that only one name matches, or a part\n"
    "that only one name has.\n";

static const view_command top_command = {
    "Usage: wasm-perf top [OPTION]... FILE.wperf\n"
    "Lists the functions by time of their own; '-' reads the profile from stdin. Totals count\n"
    "recursion once.\n",
    top_options, top_option_usage, false};

static const view_command tree_command = {
    "Usage: wasm-perf tree [OPTION]... FILE.wperf\n"
    "Draws the call tree, the largest totals first; '-' reads the profile from stdin. What has\n"
    "only one line below it goes on there after an arrow.\n",
    tree_options, tree_option_usage, false};

static const view_command callers_command = {
    "Usage: wasm-perf callers [OPTION]... FUNC FILE.wperf\n"
    "Shows who calls FUNC, and who calls those; '-' reads the profile from stdin. All numbers are\n"
    "FUNC's own, as called that way. Recursive calls have no total again, and their lines end\n"
    "where FUNC comes again.\n",
    tree_options, tree_option_usage, true};

static const view_command callees_command = {
    "Usage: wasm-perf callees [OPTION]... FUNC FILE.wperf\n"
    "Shows what FUNC calls, from wherever it was called itself; '-' reads the profile from stdin.\n"
    "What recursive calls of FUNC do is in the first line; where they were made is a line with\n"
    "nothing but their number.\n",
    tree_options, tree_option_usage, true};

static int print_help(const view_command *command) {
  printf("%s\n%s%s%s", command->usage, command->option_usage, common_option_usage,
         command->needs_function ? function_usage : "");
  return 0;
}

/* ---- Options ------------------------------------------------------------- */

static int set_positive(const view_request *request, const char *option, const char *value,
                        uint32_t *number) {
  if (cli_parse_number(value, number) && *number > 0)
    return CLI_PROCEED;
  return cli_usage_error(request->command, "%s wants a positive number, not '%s'", option, value);
}

static int set_width(view_request *request, const char *value) {
  request->has_width = true;
  if (cli_parse_number(value, &request->options.width))
    return CLI_PROCEED;
  return cli_usage_error(request->command, "--width wants a number, not '%s'", value);
}

/* A percentage with up to four decimals, in millionths. */
static bool parse_share(const char *text, uint32_t *share) {
  char digits[16];
  size_t whole = strspn(text, "0123456789");
  const char *fraction = text[whole] == '.' ? text + whole + 1 : text + whole;
  size_t decimals = strspn(fraction, "0123456789");
  if (whole == 0 || whole > 3 || decimals > 4 || (fraction > text + whole && decimals == 0) ||
      (fraction[decimals] != '\0' && strcmp(fraction + decimals, "%") != 0))
    return false;
  snprintf(digits, sizeof digits, "%.*s%.*s%.*s", (int)whole, text, (int)decimals, fraction,
           (int)(4 - decimals), "0000");
  return cli_parse_number(digits, share) && *share <= 1000000;
}

static int set_min_share(view_request *request, const char *value) {
  uint32_t share;
  if (!parse_share(value, &share))
    return cli_usage_error(request->command,
                           "--min-share wants a percentage with up to 4 decimals, not '%s'", value);
  request->options.min_share = share == 0 ? WASM_PERF_ANY_SHARE : share;
  return CLI_PROCEED;
}

static int set_sort(view_request *request, const char *value) {
  static const char *const names[] = {"self", "total", "calls"};
  static const wasm_perf_sort sorts[] = {WASM_PERF_SORT_SELF, WASM_PERF_SORT_TOTAL,
                                         WASM_PERF_SORT_CALLS};
  for (size_t i = 0; i < sizeof names / sizeof *names; ++i) {
    if (strcmp(value, names[i]) == 0) {
      request->options.sort = sorts[i];
      return CLI_PROCEED;
    }
  }
  return cli_usage_error(request->command, "--sort wants self, total or calls, not '%s'", value);
}

static int set_color(view_request *request, const char *value) {
  request->options.uses_color = strcmp(value, "always") == 0;
  request->has_color = strcmp(value, "auto") != 0;
  if (!request->has_color || request->options.uses_color || strcmp(value, "never") == 0)
    return CLI_PROCEED;
  return cli_usage_error(request->command, "--color wants auto, always or never, not '%s'", value);
}

static int set_option(view_request *request, int option, const char *value) {
  switch (option) {
  case 'n': return set_positive(request, "--limit", value, &request->options.row_limit);
  case 'o': request->output = value; return CLI_PROCEED;
  case OPTION_SORT: return set_sort(request, value);
  case OPTION_DEPTH: return set_positive(request, "--depth", value, &request->options.depth_limit);
  case OPTION_MIN_SHARE: return set_min_share(request, value);
  case OPTION_WIDTH: return set_width(request, value);
  case OPTION_COLOR: return set_color(request, value);
  case OPTION_HOST:
    return cli_choose(request->command, "--host", value, "show", "hide", &request->view.hides_host);
  case OPTION_RAW: request->view.keeps_hook_time = true; return CLI_PROCEED;
  case OPTION_NO_DEMANGLE: request->view.raw_names = true; return CLI_PROCEED;
  default: return cli_usage_hint(request->command);
  }
}

static void adapt_to_terminal(view_request *request) {
  if (strcmp(request->output, "-") != 0)
    return;
  if (!request->has_width)
    request->options.width = cli_terminal_width();
  if (!request->has_color)
    request->options.uses_color = cli_terminal_has_color();
}

static int parse(view_request *request, const view_command *command, int argc, char **argv) {
  request->command = argv[0];
  int option;
  while ((option = getopt_long(argc, argv, "n:o:h", command->long_options, NULL)) != -1) {
    if (option == 'h')
      return print_help(command);
    int status = set_option(request, option, optarg);
    if (status != CLI_PROCEED)
      return status;
  }
  if (argc - optind != 1 + command->needs_function)
    return cli_usage_error(
        request->command, "%s needed, not %d arguments",
        command->needs_function ? "a function and a profile are" : "one profile is", argc - optind);
  request->pattern = command->needs_function ? argv[optind] : NULL;
  request->input = argv[argc - 1];
  adapt_to_terminal(request);
  return CLI_PROCEED;
}

/* ---- The function -------------------------------------------------------- */

/* Tells that the pattern does not choose one function, with those that it does. */
static void refuse(const view_request *request, char *const *names, uint32_t count) {
  if (count == 0) {
    cli_error(request->input, "no function that was called matches '%s'; wasm-perf top lists them",
              request->pattern);
    return;
  }
  cli_error(request->input,
            "'%s' matches %u functions; give the whole name of one, in quotes:", request->pattern,
            count);
  for (uint32_t i = 0; i < count && i < MAX_LISTED; ++i)
    fprintf(stderr, "  %s\n", names[i]);
  if (count > MAX_LISTED)
    fprintf(stderr, "  and %u more\n", count - MAX_LISTED);
}

/* The name that the pattern chooses, for the caller to free; NULL after telling why there is none.
 */
static char *find_function(const view_request *request, const wasm_perf_profile *profile) {
  char readable[4096];
  const char *pattern = request->pattern;
  if (!request->view.raw_names && wi_demangle(pattern, readable, sizeof readable))
    pattern = readable;
  uint32_t count;
  char **names = wasm_perf_find_functions(profile, pattern, &count);
  char *name = NULL;
  if (!names)
    cli_error(NULL, "memory ran out");
  else if (count == 1)
    name = cli_text("%s", names[0]);
  else
    refuse(request, names, count);
  free(names);
  return name;
}

/* ---- The commands -------------------------------------------------------- */

static bool show(view_request *request, const wasm_perf_exporter *exporter,
                 const wasm_perf_profile *profile) {
  char *function = request->pattern ? find_function(request, profile) : NULL;
  if (request->pattern && !function)
    return false;
  request->options.function = function;
  bool done = cli_profile_write(profile, exporter, &request->options, request->output);
  free(function);
  return done;
}

static int view_main(const view_command *command, const wasm_perf_exporter *exporter, int argc,
                     char **argv) {
  view_request request = {.output = "-"};
  int status = parse(&request, command, argc, argv);
  if (status != CLI_PROCEED)
    return status;
  signal(SIGPIPE, SIG_DFL); /* `| head` ends it without a message, whatever was inherited */
  request.options.title = cli_basename(request.input);
  wasm_perf_profile *profile = cli_profile_load(request.input, &request.view);
  bool done = profile && show(&request, exporter, profile);
  wasm_perf_profile_free(profile);
  return done ? 0 : CLI_EXIT_FAILURE;
}

int cli_top_main(int argc, char **argv) {
  return view_main(&top_command, wasm_perf_exporter_find("top"), argc, argv);
}

int cli_tree_main(int argc, char **argv) {
  return view_main(&tree_command, wasm_perf_exporter_find("tree"), argc, argv);
}

int cli_callers_main(int argc, char **argv) {
  return view_main(&callers_command, &wasm_perf_callers, argc, argv);
}

int cli_callees_main(int argc, char **argv) {
  return view_main(&callees_command, &wasm_perf_callees, argc, argv);
}
