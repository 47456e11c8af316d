/* The wasm-instrument command: one module in, the instrumented one out. */
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "cli/file.h"
#include "cli/selection_options.h"

#define PROGRAM "wasm-instrument"

enum { EXIT_USAGE = 2 };

static const char help[] =
    "Usage: wasm-instrument [OPTIONS] INPUT -o OUTPUT\n"
    "       wasm-instrument [OPTIONS] INPUT --list\n"
    "\n"
    "Compiles a profiler into a WebAssembly module: every chosen function calls perf_start when "
    "it\n"
    "is entered and perf_end when it is left. Run the result with wasm-perf, or link it with\n"
    "wasm_perf.wasm. '-' stands for standard input or output.\n"
    "\n"
    "  -o, --output FILE           where the instrumented module goes; may be INPUT itself\n"
    "      --list                  print index, instruction count, choice and name of every "
    "function\n"
    "\n" WI_SELECTION_HELP "\n"
    "Output:\n"
    "      --import-module NAME    module name of the hooks' imports (default: wasm_perf)\n"
    "      --flush                 call perf_flush when _start ends and before proc_exit, so that\n"
    "                              the runtime can write the profile itself (wasmtime)\n"
    "      --keep-debug            keep DWARF and source maps, whose code offsets are then wrong\n"
    "      --force                 instrument what is instrumented already\n"
    "\n"
    "  -q, --quiet                 no warnings\n"
    "  -v, --verbose               tell what was done\n"
    "  -h, --help                  print this help\n"
    "  -V, --version               print the version\n";

typedef struct command {
  const char *input;
  const char *output;
  bool list;
  bool quiet;
  bool verbose;
  wi_options options;
  wi_selection *selection; /* owned */
} command;

/* ---- Messages ----------------------------------------------------------- */

static void print_message(const char *path, const char *message) {
  if (path)
    fprintf(stderr, PROGRAM ": %s: %s\n", strcmp(path, "-") == 0 ? "<stdin>" : path, message);
  else
    fprintf(stderr, PROGRAM ": %s\n", message);
}

static int usage_error(const char *message) {
  if (message)
    print_message(NULL, message);
  fprintf(stderr, "Try '" PROGRAM " --help'.\n");
  return EXIT_USAGE;
}

static int fail_with(const char *path, const wi_error *error) {
  char text[512];
  wi_error_format(error, text, sizeof text);
  print_message(path, text);
  return EXIT_FAILURE;
}

static int fail_with_errno(const char *path) {
  print_message(path, strerror(errno));
  return EXIT_FAILURE;
}

static void print_warning(void *user, const char *message) {
  const command *c = user;
  if (c->quiet)
    return;
  char text[600];
  snprintf(text, sizeof text, "warning: %s", message);
  print_message(c->input, text);
}

/* ---- The command line --------------------------------------------------- */

enum {
  OPTION_LIST = WI_OPTION_OWN,
  OPTION_IMPORT_MODULE,
  OPTION_FLUSH,
  OPTION_KEEP_DEBUG,
  OPTION_FORCE
};

static const struct option long_options[] = {
    WI_SELECTION_LONG_OPTIONS,
    {"output", required_argument, NULL, 'o'},
    {"list", no_argument, NULL, OPTION_LIST},
    {"import-module", required_argument, NULL, OPTION_IMPORT_MODULE},
    {"flush", no_argument, NULL, OPTION_FLUSH},
    {"keep-debug", no_argument, NULL, OPTION_KEEP_DEBUG},
    {"force", no_argument, NULL, OPTION_FORCE},
    {"quiet", no_argument, NULL, 'q'},
    {"verbose", no_argument, NULL, 'v'},
    {"help", no_argument, NULL, 'h'},
    {"version", no_argument, NULL, 'V'},
    {NULL, 0, NULL, 0}};

enum { PROCEED = -1 };

static int take_selection_option(command *c, int option) {
  wi_error error;
  const char *path;
  switch (wi_selection_option(option, optarg, &c->options, &c->selection, &path, &error)) {
  case WI_OPTION_TAKEN: return PROCEED;
  case WI_OPTION_UNKNOWN: return usage_error(NULL); /* getopt_long has told why */
  case WI_OPTION_USAGE: print_message(NULL, error.message); return usage_error(NULL);
  case WI_OPTION_FAILED: break;
  }
  return fail_with(path, &error);
}

static int take_option(command *c, int option) {
  switch (option) {
  case 'o': c->output = optarg; return PROCEED;
  case OPTION_LIST: c->list = true; return PROCEED;
  case OPTION_IMPORT_MODULE: c->options.import_module = optarg; return PROCEED;
  case OPTION_FLUSH: c->options.flush = true; return PROCEED;
  case OPTION_KEEP_DEBUG: c->options.keep_debug = true; return PROCEED;
  case OPTION_FORCE: c->options.force = true; return PROCEED;
  case 'q': c->quiet = true; return PROCEED;
  case 'v': c->verbose = true; return PROCEED;
  case 'h': fputs(help, stdout); return EXIT_SUCCESS;
  case 'V': printf(PROGRAM " %s\n", wi_version()); return EXIT_SUCCESS;
  default: return take_selection_option(c, option);
  }
}

static int parse(command *c, int argc, char **argv) {
  int option;
  while ((option = getopt_long(argc, argv, WI_SELECTION_SHORT_OPTIONS "o:qvhV", long_options,
                               NULL)) != -1) {
    int result = take_option(c, option);
    if (result != PROCEED)
      return result;
  }
  if (optind == argc)
    return usage_error("no input file");
  if (argc - optind > 1)
    return usage_error("more than one input file");
  if (!c->list && !c->output)
    return usage_error("no output file: give -o OUTPUT, or --list");
  if (!c->list && strcmp(c->output, "-") == 0 && isatty(STDOUT_FILENO))
    return usage_error("refusing to write a binary to a terminal");
  c->input = argv[optind];
  return PROCEED;
}

/* ---- The work ----------------------------------------------------------- */

/* `user` points to whether the heading stands already: a module that cannot be read gets none. */
static void print_function(void *user, const wi_function_info *info) {
  bool *headed = user;
  if (!*headed)
    printf("%8s %10s  %s  %s\n", "index", "instrs", "?", "name");
  *headed = true;
  printf("%8" PRIu32 " %10" PRIu32 "  %c  ", info->index, info->instruction_count,
         info->chosen ? '+' : '-');
  for (const char *c = info->name; *c; ++c) /* a name may hold anything; a line is one function */
    putchar((unsigned char)*c < 0x20 || *c == 0x7f ? '?' : *c);
  putchar('\n');
}

static int list(const command *c, const uint8_t *bytes, size_t size) {
  wi_error error;
  bool headed = false;
  if (!wi_list_functions(bytes, size, &c->options, print_function, &headed, &error))
    return fail_with(c->input, &error);
  if (fflush(stdout) != 0)
    return fail_with_errno("<stdout>");
  return EXIT_SUCCESS;
}

static void print_summary(const command *c, size_t size, const wi_output *output, double seconds) {
  fprintf(stderr,
          PROGRAM ": %s: %" PRIu32 " of %" PRIu32 " functions instrumented, %" PRIu32
                  " imports added, %zu -> %zu bytes (%+.1f %%), read by %s, %.1f ms of CPU\n",
          c->input, output->instrumented_count, output->function_count, output->import_count, size,
          output->size, 100.0 * ((double)output->size / (double)size - 1.0), output->reader,
          1e3 * seconds);
}

static int instrument(const command *c, const uint8_t *bytes, size_t size) {
  wi_error error;
  wi_output output;
  clock_t start = clock();
  if (!wi_instrument(bytes, size, &c->options, &output, &error))
    return fail_with(c->input, &error);
  double seconds = (double)(clock() - start) / CLOCKS_PER_SEC;
  int result = EXIT_SUCCESS;
  if (!wi_file_write(c->output, output.bytes, output.size))
    result = fail_with_errno(c->output);
  else if (c->verbose)
    print_summary(c, size, &output, seconds);
  wi_output_clear(&output);
  return result;
}

static int run(const command *c) {
  wi_file_input input;
  if (!wi_file_input_open(&input, c->input))
    return fail_with_errno(c->input);
  int result = c->list ? list(c, input.bytes, input.size) : instrument(c, input.bytes, input.size);
  wi_file_input_close(&input);
  return result;
}

int main(int argc, char **argv) {
  command c = {.options = {.warn = print_warning}};
  c.options.user = &c;
  int result = parse(&c, argc, argv);
  if (result == PROCEED)
    result = run(&c);
  wi_selection_free(c.selection);
  return result;
}
