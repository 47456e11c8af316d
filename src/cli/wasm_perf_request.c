/* The command line of wasm-perf run and wasm-perf record. */
#include "cli/wasm_perf_request.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "cli/selection_options.h"

enum {
  OPTION_ENGINE = WI_OPTION_OWN,
  OPTION_ENGINE_OPTION,
  OPTION_DIR,
  OPTION_ENV,
  OPTION_NODE_LIMIT,
  OPTION_RECURSION
};

/* The leading '+' ends the options at MODULE: what follows is the program's. */
static const char run_short_options[] = "+o:h";
static const char record_short_options[] = "+o:h" WI_SELECTION_SHORT_OPTIONS;

/* clang-format off */
#define RUN_OPTIONS                                                 \
  {"engine", required_argument, NULL, OPTION_ENGINE},               \
  {"engine-option", required_argument, NULL, OPTION_ENGINE_OPTION}, \
  {"dir", required_argument, NULL, OPTION_DIR},                     \
  {"env", required_argument, NULL, OPTION_ENV},                     \
  {"node-limit", required_argument, NULL, OPTION_NODE_LIMIT},       \
  {"recursion", required_argument, NULL, OPTION_RECURSION},         \
  {"output", required_argument, NULL, 'o'},                         \
  {"help", no_argument, NULL, 'h'}

static const struct option run_options[] = {
  RUN_OPTIONS,
  {0},
};
static const struct option record_options[] = {
  RUN_OPTIONS,
  WI_SELECTION_LONG_OPTIONS,
  {0},
};
/* clang-format on */

static const char run_usage[] =
    "Usage: wasm-perf run [OPTION]... MODULE [ARGUMENT]...\n"
    "Runs an instrumented WASI command and keeps its profile. Streams and exit code are the\n"
    "program's.\n"
    "\n"
    "  -o, --output FILE           where the profile goes; default: MODULE's name with .wperf, in\n"
    "                              the current folder\n";

static const char record_usage[] =
    "Usage: wasm-perf record [OPTION]... MODULE [ARGUMENT]...\n"
    "Instruments a WASI command, unless it is instrumented, runs it and reports. Streams and exit\n"
    "code are the program's.\n"
    "\n"
    "  -o, --output FILE           where the report goes: FILE.svg, a flame graph; FILE.folded,\n"
    "                              folded stacks; FILE.wperf, the profile for wasm-perf report;\n"
    "                              default: MODULE's name with .svg, in the current folder\n";

static const char common_usage[] =
    "      --engine NAME           run with this engine: " CLI_ENGINE_NAMES "; default: the first\n"
    "                              one there is. With wasmtime the program sees a folder\n"
    "                              /wasm_perf, where the profile goes, and a trap leaves none\n"
    "      --engine-option OPTION  hand OPTION to the engine: --engine-option=--stack-size=4000\n"
    "      --dir HOST[::GUEST]     let the program use folder HOST, under the name GUEST\n"
    "      --env NAME=VALUE        set a variable of the program's environment, which is empty\n"
    "                              otherwise\n"
    "      --node-limit N          keep at most N distinct stacks, and fold what is called beyond\n"
    "                              them; default: 1048576, about 38 MB\n"
    "      --recursion full|fold   fold: count recursive calls in the frame that their function\n"
    "                              has already; full, the default, gives each one of its own\n"
    "  -h, --help                  print this help\n";

static const char tail_usage[] =
    "\n"
    "Options stand before MODULE; what follows it is the program's, with two exceptions:\n"
    "'-o FILE' at the very end is ours unless -o was given before, and '--' right behind MODULE\n"
    "gives all that follows to the program.\n";

static int print_help(const cli_request *request) {
  fputs(request->record ? record_usage : run_usage, stdout);
  fputs(common_usage, stdout);
  if (request->record)
    fputs("\n" WI_SELECTION_HELP, stdout);
  fputs(tail_usage, stdout);
  return 0;
}

/* ---- Options ------------------------------------------------------------- */

static int add_engine_option(cli_request *request, const char *value) {
  cli_list_add(&request->engine_options, cli_text("%s", value));
  return CLI_PROCEED;
}

static int add_dir(cli_request *request, const char *value) {
  const char *guest = strstr(value, "::");
  char *host = guest ? cli_text("%.*s", (int)(guest - value), value) : cli_text("%s", value);
  struct stat status;
  int error = stat(host, &status) != 0 ? errno : S_ISDIR(status.st_mode) ? 0 : ENOTDIR;
  if (error)
    cli_error(host, "%s", strerror(error));
  free(host);
  if (error)
    return CLI_EXIT_FAILURE;
  cli_list_add(&request->dirs, cli_text("%s", value));
  return CLI_PROCEED;
}

static int add_variable(cli_request *request, const char *value) {
  const char *equals = strchr(value, '=');
  if (!equals || equals == value)
    return cli_usage_error(request->command, "--env '%s' is not of the form NAME=VALUE", value);
  cli_list_add(&request->variables, cli_text("%s", value));
  return CLI_PROCEED;
}

/* An option that only record has, if any. */
static int take_selection_option(cli_request *request, int option, const char *value) {
  const char *path;
  wi_error error;
  switch (
      wi_selection_option(option, value, &request->options, &request->selection, &path, &error)) {
  case WI_OPTION_TAKEN: return CLI_PROCEED;
  case WI_OPTION_UNKNOWN: return cli_usage_hint(request->command); /* getopt has told why */
  case WI_OPTION_USAGE: return cli_usage_error(request->command, "%s", error.message);
  case WI_OPTION_FAILED: break;
  }
  return cli_module_error(path, &error);
}

static int set_node_limit(cli_request *request, const char *value) {
  char *end;
  errno = 0;
  unsigned long limit = strtoul(value, &end, 10);
  if (*value < '0' || *value > '9' || *end || errno || limit == 0 || limit > UINT32_MAX)
    return cli_usage_error(request->command, "--node-limit '%s' is not a positive number", value);
  request->node_limit = (uint32_t)limit;
  return CLI_PROCEED;
}

static int set_engine(cli_request *request, const char *value) {
  if (!cli_engine_is_known(value))
    return cli_usage_error(request->command, "unknown engine '%s'; there are: " CLI_ENGINE_NAMES,
                           value);
  request->engine = value;
  return CLI_PROCEED;
}

static int take_option(cli_request *request, int option, const char *value) {
  switch (option) {
  case OPTION_ENGINE: return set_engine(request, value);
  case OPTION_ENGINE_OPTION: return add_engine_option(request, value);
  case OPTION_DIR: return add_dir(request, value);
  case OPTION_ENV: return add_variable(request, value);
  case OPTION_NODE_LIMIT: return set_node_limit(request, value);
  case OPTION_RECURSION:
    return cli_choose(request->command, "--recursion", value, "full", "fold",
                      &request->folds_recursion);
  case 'h': return print_help(request);
  case 'o': request->output = value; return CLI_PROCEED;
  default: return take_selection_option(request, option, value);
  }
}

/* ---- The rest of the line ------------------------------------------------ */

/* Takes MODULE, the program's arguments and an -o that ends the line. */
static int take_module(cli_request *request, int count, char **words) {
  if (count < 1)
    return cli_usage_error(request->command, "a module is missing");
  request->module_path = words[0];
  if (strcmp(request->module_path, "-") == 0)
    return cli_usage_error(request->command, "the module must be a file, engines read it as well");
  request->args = words + 1;
  request->arg_count = (size_t)count - 1;
  if (request->arg_count > 0 && strcmp(words[1], "--") == 0) {
    ++request->args;
    --request->arg_count;
  } else if (request->arg_count > 1 && !request->output && strcmp(words[count - 2], "-o") == 0) {
    request->output = words[count - 1];
    request->arg_count -= 2;
  }
  return CLI_PROCEED;
}

/* Chooses the form of the output by its extension. */
static int choose_exporter(cli_request *request) {
  const char *output = request->output;
  const wasm_perf_exporter *exporter = output ? cli_exporter_for_path(output) : NULL;
  if (!request->record) {
    if (exporter)
      return cli_usage_error(request->command,
                             "-o %s: run writes a .wperf; wasm-perf record writes reports", output);
    return CLI_PROCEED;
  }
  request->exporter = output ? exporter : wasm_perf_exporter_find("flamegraph");
  if (output && !exporter && !cli_ends_with(output, ".wperf"))
    return cli_usage_error(request->command, "-o %s: not a name with .svg, .folded or .wperf",
                           output);
  return CLI_PROCEED;
}

int cli_request_parse(cli_request *request, int argc, char **argv) {
  request->command = argv[0];
  request->record = cli_ends_with(argv[0], "record");
  const char *short_options = request->record ? record_short_options : run_short_options;
  const struct option *long_options = request->record ? record_options : run_options;
  int option;
  while ((option = getopt_long(argc, argv, short_options, long_options, NULL)) != -1) {
    int status = take_option(request, option, optarg);
    if (status != CLI_PROCEED)
      return status;
  }
  int status = take_module(request, argc - optind, argv + optind);
  return status == CLI_PROCEED ? choose_exporter(request) : status;
}

void cli_request_clear(cli_request *request) {
  cli_list_clear(&request->engine_options);
  cli_list_clear(&request->dirs);
  cli_list_clear(&request->variables);
  wi_selection_free(request->selection);
}
