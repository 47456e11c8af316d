/* wasm-perf merge: several profiles in, their sum out. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli/common/parser.h"
#include "cli/perf/commands.h"
#include "cli/perf/common.h"
#include "cli/perf/input/part_files.h"
#include "cli/perf/input/parts.h"
#include "cli/perf/input/profiles.h"
#include "cli/perf/input/symbols.h"

static int merge_main(int argc, char **argv);

enum { OPTION_BY_MODULE = CLI_OPTIONS_OWN, OPTION_SYMBOLS, OPTION_FORCE };

static const cli_option merge_options[] = {
    {OPTION_BY_MODULE, "by-module", CLI_NO_VALUE,
     "allow profiles of different modules; each module gets a frame with its name"},
    {OPTION_FORCE, "force", CLI_NO_VALUE, "add profiles without names to those that have them"},
    CLI_SYMBOLS_OPTION(OPTION_SYMBOLS),
    {'o', "output", CLI_FILE("FILE.wperf", "wperf"), "write the sum to FILE.wperf"},
    {0}};

static const cli_option_group merge_group = {NULL, merge_options};

const cli_command cli_merge_command = {
    .name = "wasm-perf merge",
    .summary = "add up profiles",
    .usages = (const char *const[]){"-o FILE.wperf FILE.wperf [FILE.wperf]...", NULL},
    .description = "Adds up profiles of one module, of threads or of repeated runs; '-' is "
                   "standard input or output. Profiles with different clocks, recursion, functions "
                   "or names are refused. If only some have names, --force is needed.",
    .operands =
        (const cli_operand[]){{.value = CLI_FILE("FILE.wperf", "wperf"), .repeats = true}, {0}},
    .groups = (const cli_option_group *const[]){&merge_group, &cli_help_options, NULL},
    .exit_codes = cli_report_exit_codes,
    .examples =
        (const cli_entry[]){
            {"wasm-perf merge run1.wperf run2.wperf -o sum.wperf", "the sum of two runs"}, {0}},
    .main = merge_main,
};

/* Strings are borrowed from argv. */
typedef struct merge_request {
  const char *output; /* "-": stdout */
  char *const *inputs;
  size_t input_count;
  bool by_module;
  bool force;
  cli_list symbols; /* paths given by --symbols */
} merge_request;

static int check_inputs(const merge_request *request) {
  if (request->input_count == 0)
    return cli_usage_error(cli_merge_command.name, "a profile is missing");
  unsigned stdin_count = 0;
  for (size_t i = 0; i < request->input_count; i++)
    stdin_count += strcmp(request->inputs[i], "-") == 0;
  if (stdin_count > 1)
    return cli_usage_error(cli_merge_command.name, "stdin can only be read once");
  return CLI_PROCEED;
}

static int parse(merge_request *request, int argc, char **argv) {
  cli_parser parser;
  cli_parser_init(&parser, &cli_merge_command, argc, argv);
  int option;
  while ((option = cli_parser_next(&parser)) != CLI_OPTIONS_END) {
    switch (option) {
    case OPTION_BY_MODULE: request->by_module = true; break;
    case OPTION_FORCE: request->force = true; break;
    case OPTION_SYMBOLS: cli_list_add(&request->symbols, cli_text("%s", parser.value)); break;
    default: request->output = parser.value; break;
    }
  }
  if (parser.status != CLI_PROCEED)
    return parser.status;
  request->inputs = parser.operands;
  request->input_count = parser.operand_count;
  int status = check_inputs(request);
  if (status != CLI_PROCEED)
    return status;
  if (!request->output)
    return cli_usage_error(cli_merge_command.name, "-o is missing");
  if (cli_format_for_path(request->output))
    return cli_usage_error(cli_merge_command.name,
                           "-o %s: merge writes a .wperf; wasm-perf report shows it",
                           request->output);
  return CLI_PROCEED;
}

/* Reads the profiles and names their functions; returns how many could be read. */
static size_t read_profiles(const merge_request *request, wasm_perf_profile **profiles) {
  size_t count = 0;
  for (bool done = true; done && count < request->input_count; count += done) {
    const char *path = request->inputs[count];
    profiles[count] = cli_profile_read(path, NULL);
    done = profiles[count] && cli_symbols_apply(profiles[count], path, &request->symbols);
    if (!done)
      wasm_perf_profile_free(profiles[count]);
  }
  return count;
}

/* Adds up the profiles of each module. NULL on failure, printed on stderr. */
static wasm_perf_profile *join_modules(const merge_request *request) {
  cli_part_files parts = {0};
  bool done = true;
  for (size_t i = 0; done && i < request->input_count; i++) {
    const char *path = request->inputs[i];
    done = cli_part_files_add(&parts, path, NULL, false, NULL) &&
           (parts.profiles[i]->module_count > 0 ||
            cli_symbols_apply(parts.profiles[i], path, &request->symbols));
  }
  wasm_perf_profile *sum =
      done ? cli_parts_join(parts.profiles, parts.paths.items, parts.paths.count, false, NULL, NULL)
           : NULL;
  cli_part_files_clear(&parts);
  return sum;
}

/* NULL on failure, printed on stderr. */
static wasm_perf_profile *add_up(const merge_request *request, wasm_perf_profile **profiles) {
  if (!request->force && !cli_profiles_check_names(profiles, request->inputs, request->input_count))
    return NULL;
  wasm_perf_mismatch mismatch;
  wasm_perf_profile *sum = wasm_perf_profile_merge((const wasm_perf_profile *const *)profiles,
                                                   request->input_count, &mismatch);
  if (!sum) {
    bool has_culprit = mismatch.index < request->input_count;
    cli_error(has_culprit ? request->inputs[mismatch.index] : NULL, "%s", mismatch.message);
  }
  return sum;
}

/* The sum of profiles of one module. NULL on failure, printed on stderr. */
static wasm_perf_profile *join_all(const merge_request *request) {
  wasm_perf_profile **profiles = calloc(request->input_count, sizeof *profiles);
  if (!profiles) {
    cli_error(NULL, "out of memory");
    return NULL;
  }
  size_t count = read_profiles(request, profiles);
  wasm_perf_profile *sum = count == request->input_count ? add_up(request, profiles) : NULL;
  while (count > 0)
    wasm_perf_profile_free(profiles[--count]);
  free(profiles);
  return sum;
}

static int load_and_merge(const merge_request *request) {
  wasm_perf_profile *sum = request->by_module ? join_modules(request) : join_all(request);
  bool done = sum && cli_profile_write(sum, NULL, NULL, request->output, NULL);
  wasm_perf_profile_free(sum);
  return done ? 0 : CLI_EXIT_FAILURE;
}

static int merge_main(int argc, char **argv) {
  merge_request request = {0};
  int status = parse(&request, argc, argv);
  if (status == CLI_PROCEED)
    status = load_and_merge(&request);
  cli_list_clear(&request.symbols);
  return status;
}
