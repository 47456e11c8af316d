/*
 * A command's table: the parser, --help, the man page and shell completion are all generated from
 * it. All contents of tables are constant and borrowed. A NULL pointer is an empty list.
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
 * One value of a choice, or one form that a value of another kind may have. `help` is NULL if the
 * name is clear enough.
 */
typedef struct cli_choice {
  char name[48];
  const char *help;
} cli_choice;

/*
 * Sets *choice to the choice at `index`. Returns false past the last. A function, because some
 * lists come from a library.
 */
typedef bool cli_choices(size_t index, cli_choice *choice);

/* Sets *choice. Returns false if `name` is NULL, as it is past the last. */
bool cli_choice_set(cli_choice *choice, const char *name, const char *help);

/* Implements cli_choices for an array. */
bool cli_choice_at(const cli_choice *choices, size_t count, size_t index, cli_choice *choice);

typedef enum cli_value_kind {
  CLI_VALUE_NONE,
  CLI_VALUE_TEXT,     /* any text: a pattern, NAME=VALUE */
  CLI_VALUE_FUNCTION, /* of the profile named by another operand; any text is valid */
  CLI_VALUE_NUMBER,   /* decimal, `minimum` to `maximum` */
  CLI_VALUE_FILE,
  CLI_VALUE_FOLDER,
  CLI_VALUE_CHOICE /* one of `choices` */
} cli_value_kind;

/* The value of an option or operand. The parser checks numbers and choices. */
typedef struct cli_value {
  cli_value_kind kind;
  const char *label; /* its name in help; NULL: the choices, separated by '|' */
  uint32_t minimum;  /* of a number */
  uint32_t maximum;
  const char *extension; /* of the files that completion offers, without the dot; NULL: all */
  cli_choices *choices;  /* shown in help, for any kind */
  const char *listed_by; /* the command that prints the choices; NULL: each help does */
  cli_choices *aliases;  /* further names, accepted but undocumented, or ""; NULL: none */
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

/* In all texts, line breaks are kept; other white space is not. */
typedef struct cli_option {
  int id;           /* a letter is also the short form; see CLI_OPTIONS_OWN */
  const char *name; /* the long form; NULL ends a list */
  cli_value value;
  const char *help; /* what it does, without a final full stop */
} cli_option;

/*
 * An option that is only valid together with another or, with "!" before the other's name, only
 * without it. An entry without an option ends a list.
 */
typedef struct cli_rule {
  const char *option;
  const char *goes_with;
} cli_rule;

/* In rules, stands for a command after "--" in place of a module. */
#define CLI_COMMAND_OPERAND "-- COMMAND"

/*
 * In rules, stands for the native tool. The npm package has no processes or sockets: it lists such
 * options and commands, and refuses them.
 */
#define CLI_NATIVE "the native wasm-perf"

/* Whether this is the native tool. */
extern const bool cli_is_native;

/* Ids of options without a letter. Each group that commands share has its own range. */
enum {
  CLI_OPTIONS_OWN = 0x100,
  CLI_OPTION_HELP_ALL = 0x1ff,
  CLI_OPTIONS_SELECTION = 0x200, /* selection_options.h */
  CLI_OPTIONS_VIEW = 0x300,      /* view.h */
  CLI_OPTIONS_COVERAGE = 0x400   /* coverage.h */
};

/* Options that the parser handles itself. */
#define CLI_HELP_OPTION                                                                            \
  { 'h', "help", CLI_NO_VALUE, "print this help" }
#define CLI_USUAL_HELP_OPTION                                                                      \
  { 'h', "help", CLI_NO_VALUE, "print the usual options" }
#define CLI_HELP_ALL_OPTION                                                                        \
  { CLI_OPTION_HELP_ALL, "help-all", CLI_NO_VALUE, "print all options" }
#define CLI_VERSION_OPTION                                                                         \
  { 'V', "version", CLI_NO_VALUE, "print the version" }

#define CLI_OPTION_LIMIT 64 /* per command */

typedef struct cli_option_group {
  const char *heading; /* NULL: the command's main options */
  const cli_option *options;
} cli_option_group;

/* An operand, for completion; CLI_VALUE_NONE ends a list. */
typedef struct cli_operand {
  bool repeats; /* the last one: all further operands are like it */
  cli_value value;
} cli_operand;

/* A name and its meaning; an entry without a name ends a list. */
typedef struct cli_entry {
  const char *name;
  const char *help;
} cli_entry;

typedef struct cli_command cli_command;
struct cli_command {
  const char *name;                      /* as typed: "wasm-perf report" */
  const char *summary;                   /* a few words, no capital, no full stop */
  const char *const *usages;             /* what follows the name in each usage; NULL-terminated */
  const char *description;               /* blank lines separate paragraphs */
  const cli_operand *operands;           /* in order */
  const cli_option_group *const *groups; /* NULL-terminated */
  const char *const *usual; /* the options that --help shows; NULL: all, else there is --help-all */
  const cli_rule *rules;
  const cli_entry *environment;
  const cli_entry *exit_codes;
  const cli_entry *examples;          /* command line, and what it is for */
  const cli_entry *native_examples;   /* further ones, which need CLI_NATIVE */
  const cli_command *const *commands; /* the subcommands of a program; NULL-terminated */
  bool options_first;                 /* the first operand ends the options */
  bool is_native;                     /* needs CLI_NATIVE */
  bool is_unlisted;                   /* for scripts: not in the program's help */
  int (*main)(int argc, char **argv); /* of a subcommand; returns the exit code */
};

/* The option at `index` of all groups, in order; NULL past the last. */
const cli_option *cli_command_option(const cli_command *command, size_t index);

/* The option with that name, or NULL. */
const cli_option *cli_command_option_named(const cli_command *command, const char *name);

/* Whether the option needs CLI_NATIVE, by the command's rules. */
bool cli_option_is_native(const cli_command *command, const cli_option *option);

/* The word that selects the command in its program: "report" for "wasm-perf report". */
const char *cli_command_word(const cli_command *command);

/* The program's command with that word, or NULL. */
const cli_command *cli_command_find(const cli_command *program, const char *word);

/*
 * The value's name in help: its label or its choices. At most `size` bytes, including the
 * terminator.
 */
void cli_value_label(const cli_value *value, char *label, size_t size);

/* All choices as a phrase: "wall, none or sampled". At most `size` bytes, likewise. */
void cli_choices_list(cli_choices *choices, char *text, size_t size);

#endif /* WI_CLI_COMMON_OPTIONS_H_ */
