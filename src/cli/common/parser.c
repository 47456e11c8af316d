#define _GNU_SOURCE /* getopt_long */

#include "cli/common/parser.h"

#include <errno.h>
#include <inttypes.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include "cli/common/help.h"
#include "cli/common/message.h"
#include "cli/common/nearest.h"
#include "commit.h" /* generated */
#include "wasm_instrument/wasm_instrument.h"

/* ---- Messages ------------------------------------------------------------- */

static int usage_hint(const char *command) {
  cli_message("Try '%s --help'.", command);
  return CLI_EXIT_USAGE;
}

int cli_usage_error(const char *command, const char *format, ...) {
  va_list arguments;
  va_start(arguments, format);
  cli_message_list(command, NULL, format, arguments);
  va_end(arguments);
  return usage_hint(command);
}

static void print_examples(const cli_entry *examples) {
  for (const cli_entry *example = examples; example && example->name; example++)
    for (const char *line = example->name; *line; line += strspn(line, "\n")) {
      int size = (int)strcspn(line, "\n");
      cli_message("  %.*s", size, line);
      line += size;
    }
}

int cli_usage_missing(const cli_command *command, const char *what) {
  cli_message("%s: %s is missing", command->name, what);
  print_examples(command->examples);
  if (cli_is_native)
    print_examples(command->native_examples);
  return usage_hint(command->name);
}

/* ---- Values --------------------------------------------------------------- */

static int take_number(cli_parser *parser, const cli_option *option) {
  const char *value = parser->value;
  char *end;
  errno = 0;
  unsigned long number = strtoul(value, &end, 10);
  bool decimal = *value >= '0' && *value <= '9' && !*end;
  bool is_too_large = errno == ERANGE || number > option->value.maximum;
  if (decimal && is_too_large && option->value.maximum < UINT32_MAX)
    return cli_usage_error(parser->command->name, "--%s wants at most %" PRIu32 ", not '%s'",
                           option->name, option->value.maximum, value);
  if (decimal && number < option->value.minimum && option->value.minimum > 1)
    return cli_usage_error(parser->command->name, "--%s wants at least %" PRIu32 ", not '%s'",
                           option->name, option->value.minimum, value);
  if (!decimal || is_too_large || number < option->value.minimum)
    return cli_usage_error(parser->command->name, "--%s wants a %snumber, not '%s'", option->name,
                           option->value.minimum > 0 ? "positive " : "", value);
  parser->number = (uint32_t)number;
  return CLI_PROCEED;
}

static bool has_alias(const cli_option *option, size_t index, const char *name) {
  cli_choice alias;
  return option->value.aliases && option->value.aliases(index, &alias) &&
         strcmp(alias.name, name) == 0;
}

static int take_choice(cli_parser *parser, const cli_option *option) {
  cli_choice choice;
  for (size_t i = 0; option->value.choices(i, &choice); i++)
    if (strcmp(choice.name, parser->value) == 0 || has_alias(option, i, parser->value)) {
      parser->choice = i;
      return CLI_PROCEED;
    }
  char names[512];
  cli_choices_list(option->value.choices, names, sizeof names);
  return cli_usage_error(parser->command->name, "--%s wants %s, not '%s'", option->name, names,
                         parser->value);
}

/* ---- The parser ----------------------------------------------------------- */

static int argument_of(const cli_option *option) {
  return option->value.kind == CLI_VALUE_NONE ? no_argument : required_argument;
}

static const cli_option *option_of(const cli_command *command, int id) {
  const cli_option *option;
  for (size_t i = 0; (option = cli_command_option(command, i)) != NULL; i++)
    if (option->id == id)
      return option;
  return NULL;
}

void cli_parser_init(cli_parser *parser, const cli_command *command, int argc, char **argv) {
  *parser = (cli_parser){.command = command, .argc = argc, .argv = argv, .status = CLI_PROCEED};
  argv[0] = (char *)command->name; /* getopt begins its messages with it */
  char *letter = parser->short_options;
  if (command->options_first)
    *letter++ = '+';
  *letter++ = ':'; /* getopt then reports a missing value as ':', and prints nothing */
  const cli_option *option;
  for (size_t i = 0; i < CLI_OPTION_LIMIT; i++) {
    option = cli_command_option(command, i);
    if (!option)
      break;
    parser->long_options[i] = (struct option){option->name, argument_of(option), NULL, option->id};
    if (option->id < CLI_OPTIONS_OWN) {
      *letter++ = (char)option->id;
      if (argument_of(option) == required_argument)
        *letter++ = ':';
    }
  }
  if (cli_is_native)
    cli_parser_imply(parser, CLI_NATIVE);
  optind = 0; /* restarts getopt: the program's own options were parsed before the command's */
}

static int print_version(const cli_command *command) {
  printf("%s %s", command->name, wi_version());
  if (*WI_COMMIT)
    printf(" (%s)", WI_COMMIT);
  printf("\n");
  return cli_flush(command);
}

/* Handles the options and checks that all commands share. */
static int take_option(cli_parser *parser, const cli_option *option) {
  if (option->id == 'h')
    return cli_help_print(parser->command);
  if (option->id == CLI_OPTION_HELP_ALL)
    return cli_help_print_all(parser->command);
  if (option->id == 'V')
    return print_version(parser->command);
  if (option->value.kind == CLI_VALUE_NUMBER)
    return take_number(parser, option);
  if (option->value.kind == CLI_VALUE_CHOICE)
    return take_choice(parser, option);
  return CLI_PROCEED;
}

/* Replaces getopt's messages, which would print the arguments to the terminal uncleaned. */
static int refuse_option(const cli_parser *parser, int id) {
  const char *command = parser->command->name, *word = parser->argv[optind - 1];
  const cli_option *option = optopt ? option_of(parser->command, optopt) : NULL;
  bool is_long = strncmp(word, "--", 2) == 0;
  if (id == ':' && (is_long || !option || option->id >= CLI_OPTIONS_OWN))
    return cli_usage_error(command, "option '%s' requires an argument", word);
  if (id == ':')
    return cli_usage_error(command, "option requires an argument -- '%c'", optopt);
  if (option)
    return cli_usage_error(command, "option '--%s' doesn't allow an argument", option->name);
  if (optopt)
    return cli_usage_error(command, "invalid option -- '%c'", optopt);
  const char *instead = cli_replacement(word);
  if (instead)
    return cli_usage_error(command, "unrecognized option '%s'; use '%s'", word, instead);
  const char *meant = is_long ? cli_nearest_option(parser->command, word) : NULL;
  return meant ? cli_usage_error(command, "unrecognized option '%s'; did you mean '--%s'?", word,
                                 meant)
               : cli_usage_error(command, "unrecognized option '%s'", word);
}

int cli_unknown_command(const char *name, const cli_command *program, const char *word) {
  const char *instead = cli_replacement(word);
  if (instead)
    return cli_usage_error(name, "unknown command '%s'; use '%s'", word, instead);
  const char *meant = cli_nearest_command(program, word);
  return meant ? cli_usage_error(name, "unknown command '%s'; did you mean '%s'?", word, meant)
               : cli_usage_error(name, "unknown command '%s'", word);
}

int cli_parser_next(cli_parser *parser) {
  int id =
      getopt_long(parser->argc, parser->argv, parser->short_options, parser->long_options, NULL);
  if (id == -1) {
    parser->operands = parser->argv + optind;
    parser->operand_count = optind < parser->argc ? (size_t)(parser->argc - optind) : 0;
    parser->ended_options = optind > 1 && strcmp(parser->argv[optind - 1], "--") == 0;
    if (parser->command->is_native && !cli_is_native)
      parser->status = cli_usage_error(parser->command->name, "this command needs %s", CLI_NATIVE);
    return CLI_OPTIONS_END;
  }
  const cli_option *option = option_of(parser->command, id);
  parser->value = optarg;
  parser->option = option;
  parser->status = option ? take_option(parser, option) : refuse_option(parser, id);
  if (option)
    cli_parser_imply(parser, option->name);
  return parser->status == CLI_PROCEED ? id : CLI_OPTIONS_END;
}

/* ---- Rules --------------------------------------------------------------------- */

static bool is_given(const cli_parser *parser, const char *name) {
  for (const char *const *given = parser->given; *given; given++)
    if (strcmp(*given, name) == 0)
      return true;
  return false;
}

void cli_parser_imply(cli_parser *parser, const char *name) {
  size_t count = 0;
  while (parser->given[count])
    count++;
  if (!is_given(parser, name) && count + 1 < sizeof parser->given / sizeof *parser->given)
    parser->given[count] = name;
}

int cli_parser_check(const cli_parser *parser) {
  for (const cli_rule *rule = parser->command->rules; rule && rule->option; rule++) {
    bool is_excluded = *rule->goes_with == '!';
    const char *other = rule->goes_with + is_excluded;
    if (is_given(parser, rule->option) && is_given(parser, other) == is_excluded)
      return cli_usage_error(parser->command->name, "--%s %s %s%s", rule->option,
                             is_excluded ? "cannot be used with" : "needs",
                             strchr(other, ' ') ? "" : "--", other);
  }
  return CLI_PROCEED;
}

bool cli_is_option(const cli_command *command, const char *word) {
  const cli_option *option;
  size_t size = strcspn(word, "=");
  if (word[0] == '-' && word[1] != '-')
    return word[1] && !word[2] && option_of(command, word[1]);
  for (size_t i = 0; size > 2 && (option = cli_command_option(command, i)) != NULL; i++)
    if (strncmp(word, "--", 2) == 0 && strlen(option->name) == size - 2 &&
        strncmp(option->name, word + 2, size - 2) == 0)
      return true;
  return false;
}
