/*
 * What a command understands, said once: the parser, --help, the man page and the completion of
 * shells are made of its table. Everything in tables is constant and borrowed; a pointer that is
 * NULL stands for an empty list.
 */
#ifndef WI_CLI_COMMON_OPTIONS_H_
#define WI_CLI_COMMON_OPTIONS_H_

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include "cli/common/exit_codes.h"

/* ---- Tables --------------------------------------------------------------- */

/*
 * One of the values that a choice has, or a form that another kind of value may take. `help` is
 * NULL where the name says enough.
 */
typedef struct cli_choice {
  char name[48];
  const char *help;
} cli_choice;

/* Gives the choice at `index`, where there is one; so a list can be made of a library's own. */
typedef bool cli_choices(size_t index, cli_choice *choice);

/* The same from an array; for lists that only the command has. */
bool cli_choice_at(const cli_choice *choices, size_t count, size_t index, cli_choice *choice);

typedef enum cli_value_kind {
  CLI_VALUE_NONE,
  CLI_VALUE_TEXT,     /* free: a pattern, NAME=VALUE */
  CLI_VALUE_FUNCTION, /* of the profile that another operand names; as free as a text */
  CLI_VALUE_NUMBER,   /* decimal, `minimum` to `maximum` */
  CLI_VALUE_FILE,
  CLI_VALUE_FOLDER,
  CLI_VALUE_CHOICE /* one of `choices` */
} cli_value_kind;

/* What an option or an operand stands for; the parser checks numbers and choices. */
typedef struct cli_value {
  cli_value_kind kind;
  const char *label; /* its name in help; NULL: the choices, separated by '|' */
  uint32_t minimum;  /* of a number */
  uint32_t maximum;
  const char *extension; /* of files that completion offers, without the dot; NULL: all */
  cli_choices *choices;  /* for help, whatever the kind */
  cli_choices *aliases;  /* other names that are taken, and told nowhere, or ""; NULL: none */
} cli_value;

#define CLI_NO_VALUE                                                                               \
  { .kind = CLI_VALUE_NONE }
#define CLI_TEXT(name)                                                                             \
  { .kind = CLI_VALUE_TEXT, .label = (name) }
#define CLI_FUNCTION(name)                                                                         \
  { .kind = CLI_VALUE_FUNCTION, .label = (name) }
#define CLI_NUMBER(name, least) CLI_NUMBER_UP_TO(name, least, UINT32_MAX)
#define CLI_NUMBER_UP_TO(name, least, most)                                                        \
  { .kind = CLI_VALUE_NUMBER, .label = (name), .minimum = (least), .maximum = (most) }
#define CLI_FILE(name, ending)                                                                     \
  { .kind = CLI_VALUE_FILE, .label = (name), .extension = (ending) }
#define CLI_FOLDER(name)                                                                           \
  { .kind = CLI_VALUE_FOLDER, .label = (name) }
#define CLI_CHOICE(name, list)                                                                     \
  { .kind = CLI_VALUE_CHOICE, .label = (name), .choices = (list) }

/* In all texts a line break is kept, other white space is not. */
typedef struct cli_option {
  int id;           /* a letter is also its short form; see CLI_OPTIONS_OWN */
  const char *name; /* of the long form; NULL ends a list */
  cli_value value;
  const char *help; /* what it does, without a full stop at its end */
} cli_option;

/*
 * An option that has no meaning but beside another, or, with a "!" before the other's name, none beside
 * that; one without an option ends a list.
 */
typedef struct cli_rule {
  const char *option;
  const char *goes_with;
} cli_rule;

/* The name by which rules mean a command after "--", in place of a module. */
#define CLI_COMMAND_OPERAND "-- COMMAND"

/* Ids of options without a letter; each group that commands share has a range of its own. */
enum {
  CLI_OPTIONS_OWN = 0x100,
  CLI_OPTIONS_SELECTION = 0x200, /* selection_options.h */
  CLI_OPTIONS_VIEW = 0x300       /* view.h */
};

/* What the parser carries out itself. */
#define CLI_HELP_OPTION                                                                            \
  { 'h', "help", CLI_NO_VALUE, "print this help" }
#define CLI_VERSION_OPTION                                                                         \
  { 'V', "version", CLI_NO_VALUE, "print the version" }

#define CLI_OPTION_LIMIT 64 /* for one command */

typedef struct cli_option_group {
  const char *heading; /* NULL: what the command has for itself */
  const cli_option *options;
} cli_option_group;

/* What follows the options, for completion; one of CLI_VALUE_NONE ends a list. */
typedef struct cli_operand {
  bool repeats; /* the last one: all that follow are like it */
  cli_value value;
} cli_operand;

/* A name and what it means; one without a name ends a list. */
typedef struct cli_entry {
  const char *name;
  const char *help;
} cli_entry;

typedef struct cli_command cli_command;
struct cli_command {
  const char *name;                      /* as one types it: "wasm-perf report" */
  const char *summary;                   /* a few words, no capital, no full stop */
  const char *const *usages;             /* what follows the name, each; ended by NULL */
  const char *description;               /* blank lines separate paragraphs */
  const cli_operand *operands;           /* in their order */
  const cli_option_group *const *groups; /* ended by NULL */
  const cli_rule *rules;
  const cli_entry *environment;
  const cli_entry *exit_codes;
  const cli_entry *examples;          /* command line and what it is for */
  const cli_command *const *commands; /* of a program that is one of several; ended by NULL */
  bool options_first;                 /* the first operand ends the options */
  int (*main)(int argc, char **argv); /* of a program's command; returns the exit code */
};

/* The options of all groups, in order; NULL past the last. */
const cli_option *cli_command_option(const cli_command *command, size_t index);

/* The word by which a program knows its command: "report" for "wasm-perf report". */
const char *cli_command_word(const cli_command *command);

/* A program's command of that word, or NULL. */
const cli_command *cli_command_find(const cli_command *program, const char *word);

/* How help calls a value: its label or its choices. At most `size` bytes, with the terminator. */
void cli_value_label(const cli_value *value, char *label, size_t size);

/* Likewise all of them for a sentence: "wall, none or sampled". */
void cli_choices_list(cli_choices *choices, char *text, size_t size);

#endif /* WI_CLI_COMMON_OPTIONS_H_ */
