#include "cli/perf/tables.h"

static const cli_option help_options[] = {CLI_HELP_OPTION, {0}};

const cli_option_group cli_help_options = {"Other", help_options};

const cli_entry cli_report_exit_codes[] = {
    {CLI_EXIT_TEXT(CLI_EXIT_SUCCESS), "success"},
    {CLI_EXIT_TEXT(CLI_EXIT_FAILURE), "a file cannot be read or written, or is not a profile"},
    {CLI_EXIT_TEXT(CLI_EXIT_USAGE), "wrong usage"},
    {0}};

bool cli_sort_choice(size_t index, cli_choice *choice) {
  static const cli_choice choices[] = {
      [WASM_PERF_SORT_SELF] = {"self", "the default"},
      [WASM_PERF_SORT_TOTAL] = {"total", "with all that it called"},
      [WASM_PERF_SORT_CALLS] = {"calls", "how often it was called"},
  };
  return cli_choice_at(choices, sizeof choices / sizeof *choices, index, choice);
}
