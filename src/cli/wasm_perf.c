/* wasm-perf: runs instrumented modules and shows their profiles. */
#include "cli/wasm_perf_cli.h"

#include <stdio.h>
#include <string.h>

typedef struct command {
  const char *name;
  const char *full_name; /* what its messages begin with */
  const char *summary;
  int (*main)(int argc, char **argv);
} command;

static const command commands[] = {
    {"run", "wasm-perf run", "run an instrumented module and keep its profile", cli_run_main},
    {"record", "wasm-perf record", "instrument, run and report in one", cli_record_main},
    {"report", "wasm-perf report", "show a profile", cli_report_main},
    {"top", "wasm-perf top", "list the functions that took most", cli_top_main},
    {"tree", "wasm-perf tree", "draw the call tree", cli_tree_main},
    {"callers", "wasm-perf callers", "show who calls a function", cli_callers_main},
    {"callees", "wasm-perf callees", "show what a function calls", cli_callees_main},
};
static const size_t command_count = sizeof commands / sizeof commands[0];

static void print_help(void) {
  puts("Usage: wasm-perf COMMAND [OPTION]... [ARGUMENT]...\n"
       "Profiles WebAssembly modules that wasm-instrument has instrumented.\n"
       "\n"
       "Commands:");
  for (size_t i = 0; i < command_count; ++i)
    printf("  %-8s %s\n", commands[i].name, commands[i].summary);
  puts("\n"
       "  -h, --help     print this help; 'wasm-perf COMMAND --help' tells more\n"
       "  -V, --version  print the version\n"
       "\n"
       "Environment:\n"
       "  WASM_PERF_NODE      the node to run modules with, if not the one on PATH\n"
       "  WASM_PERF_WASMTIME  the wasmtime, likewise\n"
       "  WASM_PERF_SHARE     the folder of the runtime's files, if they were moved");
}

static const command *find_command(const char *name) {
  for (size_t i = 0; i < command_count; ++i)
    if (strcmp(commands[i].name, name) == 0)
      return &commands[i];
  return NULL;
}

static bool is_option(const char *word, const char *short_form, const char *long_form) {
  return strcmp(word, short_form) == 0 || strcmp(word, long_form) == 0;
}

int main(int argc, char **argv) {
  if (argc < 2)
    return cli_usage_error("wasm-perf", "a command is missing");
  if (is_option(argv[1], "-h", "--help")) {
    print_help();
    return 0;
  }
  if (is_option(argv[1], "-V", "--version")) {
    printf("wasm-perf %s\n", wi_version());
    return 0;
  }
  const command *found = find_command(argv[1]);
  if (!found)
    return cli_usage_error("wasm-perf", "unknown command '%s'", argv[1]);
  argv[1] = (char *)found->full_name; /* getopt begins its messages with it */
  return found->main(argc - 1, argv + 1);
}
