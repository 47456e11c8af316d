/* wasm-perf: runs instrumented modules and shows their profiles. */
#include "cli/common/parser.h"
#include "cli/perf/commands.h"

int main(int argc, char **argv) {
  cli_parser parser;
  cli_parser_init(&parser, &cli_perf_program, argc, argv);
  while (cli_parser_next(&parser) != CLI_OPTIONS_END) {
  }
  if (parser.status != CLI_PROCEED)
    return parser.status;
  const char *name = cli_perf_program.name;
  if (parser.operand_count == 0)
    return cli_usage_missing(&cli_perf_program, "a command");
  const cli_command *command = cli_command_find(&cli_perf_program, parser.operands[0]);
  if (!command)
    return cli_unknown_command(name, &cli_perf_program, parser.operands[0]);
  return command->main((int)parser.operand_count, parser.operands);
}
