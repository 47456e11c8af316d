/* Reading a command line by the command's table. */
#ifndef WI_CLI_COMMON_PARSER_H_
#define WI_CLI_COMMON_PARSER_H_

#include <getopt.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "cli/common/options.h"

/* What a step of reading the command line returns where there is more to do. */
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
  /* Of the option that cli_parser_next has just returned. */
  const char *value; /* NULL where it takes none */
  uint32_t number;   /* the value, of a number */
  size_t choice;     /* the index of the value, of a choice */
  const cli_option *option;
  /* Once it has returned CLI_OPTIONS_END. */
  int status;      /* CLI_PROCEED; else the exit code: help or an error was printed */
  char **operands; /* with their order kept */
  size_t operand_count;
  bool ended_options; /* by "--" */
  /* Its own. */
  const cli_command *command;
  int argc;
  char **argv;
  char short_options[2 * CLI_OPTION_LIMIT + 3];
  struct option long_options[CLI_OPTION_LIMIT + 1];
  const char *given[CLI_OPTION_LIMIT + 4]; /* names of options, each once, ended by NULL */
} cli_parser;

#define CLI_OPTIONS_END (-1)

/* Messages begin with the command's name, whatever argv[0] says, which is replaced by it. */
void cli_parser_init(cli_parser *parser, const cli_command *command, int argc, char **argv);

/* The id of the next option, its value checked; CLI_OPTIONS_END after the last. */
int cli_parser_next(cli_parser *parser);

/* What cli_parser_check takes as given, too: an option by its name, or CLI_COMMAND_OPERAND. */
void cli_parser_imply(cli_parser *parser, const char *name);

/*
 * After the last option: whether each has what it goes with. CLI_PROCEED, else the exit code, as it
 * has told of one that has not.
 */
int cli_parser_check(const cli_parser *parser);

/* Whether a word is one of the command's options: "-o", "--output" or "--output=a". */
bool cli_is_option(const cli_command *command, const char *word);

/* Prints "COMMAND: message" and where to find help. Returns CLI_EXIT_USAGE. */
int cli_usage_error(const char *command, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

/*
 * The same of a command line on which WHAT is missing, with the command's examples: who types the
 * name alone wants to know how to begin.
 */
int cli_usage_missing(const cli_command *command, const char *what);

#endif /* WI_CLI_COMMON_PARSER_H_ */
