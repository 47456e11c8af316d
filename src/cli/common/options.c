#include "cli/common/options.h"

#include <stdio.h>
#include <string.h>

/* ---- Tables --------------------------------------------------------------- */

bool cli_choice_set(cli_choice *choice, const char *name, const char *help) {
  snprintf(choice->name, sizeof choice->name, "%s", name ? name : "");
  choice->help = help;
  return name != NULL;
}

bool cli_choice_at(const cli_choice *choices, size_t count, size_t index, cli_choice *choice) {
  if (index >= count)
    return false;
  *choice = choices[index];
  return true;
}

const cli_option *cli_command_option(const cli_command *command, size_t index) {
  for (const cli_option_group *const *group = command->groups; group && *group; group++)
    for (const cli_option *option = (*group)->options; option->name; option++)
      if (index-- == 0)
        return option;
  return NULL;
}

const cli_option *cli_command_option_named(const cli_command *command, const char *name) {
  const cli_option *option;
  for (size_t i = 0; (option = cli_command_option(command, i)) != NULL; i++)
    if (strcmp(option->name, name) == 0)
      return option;
  return NULL;
}

bool cli_option_is_native(const cli_command *command, const cli_option *option) {
  for (const cli_rule *rule = command->rules; rule && rule->option; rule++)
    if (strcmp(rule->goes_with, CLI_NATIVE) == 0 && strcmp(rule->option, option->name) == 0)
      return true;
  return false;
}

const char *cli_command_word(const cli_command *command) {
  const char *space = strrchr(command->name, ' ');
  return space ? space + 1 : command->name;
}

const cli_command *cli_command_find(const cli_command *program, const char *word) {
  for (const cli_command *const *command = program->commands; command && *command; command++)
    if (strcmp(cli_command_word(*command), word) == 0)
      return *command;
  return NULL;
}

/* Appends `more` to `text`, truncated to the room that is left. */
static void append(char *text, size_t size, const char *more) {
  size_t used = strlen(text);
  snprintf(text + used, size - used, "%s", more);
}

void cli_value_label(const cli_value *value, char *label, size_t size) {
  snprintf(label, size, "%s", value->label ? value->label : "");
  cli_choice choice;
  for (size_t i = 0; !value->label && value->choices && value->choices(i, &choice); i++) {
    append(label, size, i > 0 ? "|" : "");
    append(label, size, choice.name);
  }
}

void cli_choices_list(cli_choices *choices, char *text, size_t size) {
  cli_choice choice, next;
  text[0] = '\0';
  for (size_t i = 0; choices(i, &choice); i++) {
    if (i > 0)
      append(text, size, choices(i + 1, &next) ? ", " : " or ");
    append(text, size, choice.name);
  }
}
