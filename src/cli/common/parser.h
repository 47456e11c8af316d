/* Parses a command line according to the command's table. */
#ifndef WI_CLI_COMMON_PARSER_H_
#define WI_CLI_COMMON_PARSER_H_

#include <getopt.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "cli/common/options.h"

/* Returned by a step of parsing if there is more to do. */
#define CLI_PROCEED (-1)

/*
 *   cli_parser parser;
 *   cli_parser_init(&parser, &command, argc, argv);
 *   while ((option = cli_parser_next(&parser)) != CLI_OPTIONS_END)
 *     switch (option) ...
 *   if (parser.status != CLI_PROCEED)
 *     return parser.status;
 */
typedef struct cli_parser {
  /* Of the option that cli_parser_next has returned last: */
  const char *value; /* NULL if it has none */
  uint32_t number;   /* of a number: the value */
  size_t choice;     /* of a choice: index of the value */
  const cli_option *option;
  /* Valid once it has returned CLI_OPTIONS_END: */
  int status;      /* CLI_PROCEED, or the exit code if help or an error was printed */
  char **operands; /* in their original order */
  size_t operand_count;
  bool ended_options; /* by "--" */
  /* Private: */
  const cli_command *command;
  int argc;
  char **argv;
  char short_options[2 * CLI_OPTION_LIMIT + 3];
  struct option long_options[CLI_OPTION_LIMIT + 1];
  const char *given[CLI_OPTION_LIMIT + 5]; /* names of options, each once; NULL-terminated */
} cli_parser;

#define CLI_OPTIONS_END (-1)

/* Messages begin with the command's name, which also replaces argv[0]. */
void cli_parser_init(cli_parser *parser, const cli_command *command, int argc, char **argv);

/* The id of the next option, with its value checked; CLI_OPTIONS_END after the last. */
int cli_parser_next(cli_parser *parser);

/* Makes cli_parser_check treat an option, by name, or CLI_COMMAND_OPERAND as given. */
void cli_parser_imply(cli_parser *parser, const char *name);

/*
 * Call after the last option: checks the rules. Returns CLI_PROCEED, or the exit code after
 * printing the first violation.
 */
int cli_parser_check(const cli_parser *parser);

/* Whether a word is one of the command's options: "-o", "--output" or "--output=a". */
bool cli_is_option(const cli_command *command, const char *word);

/* Prints "COMMAND: message" and where to find help. Returns CLI_EXIT_USAGE. */
int cli_usage_error(const char *command, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

/*
 * Reports an unknown command of `program`, in the name of `name`, and the one that was probably
 * meant. Returns CLI_EXIT_USAGE.
 */
int cli_unknown_command(const char *name, const cli_command *program, const char *word);

/*
 * Reports that WHAT is missing, followed by the command's examples: somebody who types only its
 * name wants to know how to begin. Returns CLI_EXIT_USAGE.
 */
int cli_usage_missing(const cli_command *command, const char *what);

#endif /* WI_CLI_COMMON_PARSER_H_ */
