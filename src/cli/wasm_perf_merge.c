/* wasm-perf merge: several profiles in, their sum out. */
#include "cli/wasm_perf_cli.h"

#include <getopt.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Strings are borrowed from argv. */
typedef struct merge_request {
  const char *command;
  const char *output; /* "-": stdout */
  char *const *inputs;
  size_t input_count;
} merge_request;

static const struct option long_options[] = {
    {"output", required_argument, NULL, 'o'},
    {"help", no_argument, NULL, 'h'},
    {0},
};

static int print_help(void) {
  puts("Usage: wasm-perf merge FILE.wperf... -o FILE.wperf\n"
       "Adds up profiles of one module, of threads or of repeated runs; '-' is stdin or stdout.\n"
       "\n"
       "  -o, --output FILE  where the sum goes\n"
       "  -h, --help         print this help\n"
       "\n"
       "The module has to be the same: profiles whose clock, recursion, functions or names differ\n"
       "are refused.");
  return 0;
}

static int check_inputs(const merge_request *request) {
  if (request->input_count == 0)
    return cli_usage_error(request->command, "a profile is missing");
  unsigned stdin_count = 0;
  for (size_t i = 0; i < request->input_count; ++i)
    stdin_count += strcmp(request->inputs[i], "-") == 0;
  if (stdin_count > 1)
    return cli_usage_error(request->command, "stdin can only be read once");
  return CLI_PROCEED;
}

static int parse(merge_request *request, int argc, char **argv) {
  request->command = argv[0];
  int option;
  while ((option = getopt_long(argc, argv, "o:h", long_options, NULL)) != -1) {
    switch (option) {
    case 'o': request->output = optarg; break;
    case 'h': return print_help();
    default: return cli_usage_hint(request->command);
    }
  }
  request->inputs = argv + optind;
  request->input_count = (size_t)(argc - optind);
  int status = check_inputs(request);
  if (status != CLI_PROCEED)
    return status;
  if (!request->output)
    return cli_usage_error(request->command, "-o is missing");
  if (cli_exporter_for_path(request->output))
    return cli_usage_error(request->command,
                           "-o %s: merge writes a .wperf; wasm-perf report shows it",
                           request->output);
  return CLI_PROCEED;
}

/* Reads as many profiles as can be. */
static size_t read_profiles(const merge_request *request, wasm_perf_profile **profiles) {
  size_t count = 0;
  while (count < request->input_count) {
    profiles[count] = cli_profile_read(request->inputs[count]);
    if (!profiles[count])
      break;
    ++count;
  }
  return count;
}

static bool merge_and_write(const merge_request *request, wasm_perf_profile *const *profiles) {
  wasm_perf_mismatch mismatch;
  wasm_perf_profile *sum = wasm_perf_profile_merge((const wasm_perf_profile *const *)profiles,
                                                   request->input_count, &mismatch);
  if (!sum) {
    bool has_culprit = mismatch.index < request->input_count;
    cli_error(has_culprit ? request->inputs[mismatch.index] : NULL, "%s", mismatch.message);
    return false;
  }
  bool written = cli_profile_write(sum, NULL, NULL, request->output);
  wasm_perf_profile_free(sum);
  return written;
}

int cli_merge_main(int argc, char **argv) {
  merge_request request = {0};
  int status = parse(&request, argc, argv);
  if (status != CLI_PROCEED)
    return status;
  wasm_perf_profile **profiles = calloc(request.input_count, sizeof *profiles);
  if (!profiles)
    return cli_error(NULL, "memory ran out");
  size_t count = read_profiles(&request, profiles);
  bool done = count == request.input_count && merge_and_write(&request, profiles);
  while (count > 0)
    wasm_perf_profile_free(profiles[--count]);
  free(profiles);
  return done ? 0 : CLI_EXIT_FAILURE;
}
