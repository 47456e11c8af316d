#include "cli/perf/commands.h"

#include <string.h>

#include "cli/common/help.h"
#include "cli/common/parser.h"
#include "cli/perf/common.h"

static int help_main(int argc, char **argv);

/* ---- The program ---------------------------------------------------------- */

static const cli_option program_options[] = {CLI_HELP_OPTION, CLI_VERSION_OPTION, {0}};
static const cli_option_group program_group = {NULL, program_options};

static const cli_command *const commands[] = {
    &cli_record_command,    &cli_bench_command,   &cli_open_command,
    &cli_report_command,    &cli_explain_command, &cli_top_command,
    &cli_tree_command,      &cli_callers_command, &cli_callees_command,
    &cli_calls_command,     &cli_memory_command,  &cli_annotate_command,
    &cli_functions_command, &cli_diff_command,    &cli_merge_command,
    &cli_symbols_command,   &cli_help_command,    NULL};

static bool command_choice(size_t index, cli_choice *choice) {
  const cli_command *command = commands[index];
  return command && cli_choice_set(choice, cli_command_word(command), command->summary);
}

const cli_command cli_perf_program = {
    .name = "wasm-perf",
    .summary = "profile WebAssembly modules",
    .usages = (const char *const[]){"COMMAND [OPTION]... [ARGUMENT]...", NULL},
    .description = "Profiles the WebAssembly modules of a program. See 'wasm-perf COMMAND --help' "
                   "for more on a command.",
    .operands = (const cli_operand[]){{.value = CLI_CHOICE("COMMAND", command_choice)}, {0}},
    .groups = (const cli_option_group *const[]){&program_group, NULL},
    .examples = (const cli_entry[]){{"wasm-perf record -- node app.mjs",
                                     "runs a JavaScript program, writes app.html about each "
                                     "WebAssembly module that it uses"},
                                    {"wasm-perf record -o app.wperf -- node app.mjs",
                                     "saves the raw profile for these commands:"},
                                    {"wasm-perf top app.wperf", "the functions that cost most"},
                                    {"wasm-perf report -o app.html app.wperf",
                                     "a page with a flame graph and a table"},
                                    {0}},
    .native_examples = (const cli_entry[]){{"wasm-perf record app.wasm ARGUMENT",
                                            "instruments app.wasm, a WASI program, runs it, writes "
                                            "app.html"},
                                           {0}},
    .commands = commands,
    .options_first = true,
};

/* ---- Help ----------------------------------------------------------------- */

#define VALUES "values"

static bool topic_choice(size_t index, cli_choice *choice) {
  static const size_t count = sizeof commands / sizeof *commands - 1;
  if (index == count)
    return cli_choice_set(choice, VALUES, "what --value selects");
  return index < count && command_choice(index, choice);
}

const cli_command cli_help_command = {
    .name = "wasm-perf help",
    .summary = "explain a command",
    .usages = (const char *const[]){"[COMMAND|" VALUES "]", NULL},
    .description = "Describes COMMAND and its options, the values that --value selects, or the "
                   "commands.",
    .operands = (const cli_operand[]){{.value = CLI_CHOICE("COMMAND", topic_choice)}, {0}},
    .groups = (const cli_option_group *const[]){&cli_help_options, NULL},
    .main = help_main,
};

/* The choices of --value, which all views have. */
static int print_values(void) {
  const cli_option *option;
  size_t i = 0;
  do
    option = cli_command_option(&cli_top_command, i++);
  while (!option->value.listed_by);
  return cli_help_choices(&cli_help_command, "What --value selects", option->value.choices);
}

static int help_main(int argc, char **argv) {
  cli_parser parser;
  cli_parser_init(&parser, &cli_help_command, argc, argv);
  while (cli_parser_next(&parser) != CLI_OPTIONS_END) {
  }
  if (parser.status != CLI_PROCEED)
    return parser.status;
  if (parser.operand_count == 0)
    return cli_help_print(&cli_perf_program);
  if (parser.operand_count > 1)
    return cli_usage_error(cli_help_command.name, "one command, not %zu", parser.operand_count);
  if (strcmp(parser.operands[0], VALUES) == 0)
    return print_values();
  const cli_command *command = cli_command_find(&cli_perf_program, parser.operands[0]);
  if (!command)
    return cli_unknown_command(cli_help_command.name, &cli_perf_program, parser.operands[0]);
  return cli_help_print(command);
}
