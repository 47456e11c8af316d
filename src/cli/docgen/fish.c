#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "cli/docgen/fish.h"
#include "cli/docgen/text.h"

/* ---- Values --------------------------------------------------------------- */

/* Text inside single quotes. */
static void put_quoted(FILE *stream, const char *text, size_t size) {
  static const document_escape escapes[] = {{'\'', "\\'"}, {'\\', "\\\\"}, {0}};
  fputc('\'', stream);
  document_put(stream, text, size, escapes);
  fputc('\'', stream);
}

/* Escapes for text in single quotes inside double quotes. */
static const document_escape in_both[] = {
    {'"', "\\\""}, {'$', "\\$"}, {'\\', "\\\\"}, {'\'', "\\'"}, {0}};

/* fish evaluates the words of -a again: each is a name and, after a tab, its description. */
static void put_choices(FILE *stream, cli_choices *choices) {
  cli_choice choice;
  fputs(" -x -a \"", stream);
  for (size_t i = 0; choices(i, &choice); i++) {
    fputs(i > 0 ? " " : "", stream);
    document_put(stream, choice.name, strlen(choice.name), in_both);
    if (!choice.help)
      continue;
    fputs("\\t'", stream);
    document_put(stream, choice.help, (size_t)document_brief(choice.help), in_both);
    fputc('\'', stream);
  }
  fputc('"', stream);
}

/* Follows `-l NAME`, or the condition of an operand. */
static void put_value(FILE *stream, const cli_value *value, const char *identifier) {
  switch (value->kind) {
  case CLI_VALUE_NONE: break;
  case CLI_VALUE_CHOICE: put_choices(stream, value->choices); break;
  case CLI_VALUE_FILE:
    if (value->extension)
      fprintf(stream, " -k -x -a '(__fish_complete_suffix .%s)'", value->extension);
    else
      fputs(" -r -F", stream);
    break;
  case CLI_VALUE_FOLDER: fprintf(stream, " -x -a '(__%s_folders)'", identifier); break;
  case CLI_VALUE_FUNCTION: fprintf(stream, " -x -a '(__%s_functions)'", identifier); break;
  default: fputs(" -x", stream); break;
  }
}

/* ---- Commands ------------------------------------------------------------- */

static void put_start(FILE *stream, const char *name, const char *identifier, const char *word) {
  fprintf(stream, "complete -c %s -n '__%s_at \"%s\"", name, identifier, word);
}

static void put_command(FILE *stream, const char *name, const char *identifier, const char *word,
                        const cli_command *command) {
  const cli_option *option;
  for (size_t i = 0; (option = cli_command_option(command, i)) != NULL; i++) {
    put_start(stream, name, identifier, word);
    fputc('\'', stream);
    if (option->id < CLI_OPTIONS_OWN)
      fprintf(stream, " -s %c", option->id);
    fprintf(stream, " -l %s", option->name);
    put_value(stream, &option->value, identifier);
    fputs(" -d ", stream);
    put_quoted(stream, option->help, (size_t)document_brief(option->help));
    fputc('\n', stream);
  }
  const cli_operand *operands = command->operands;
  for (size_t i = 0; operands && operands[i].value.kind; i++) {
    if (operands[i].value.kind == CLI_VALUE_TEXT || operands[i].value.kind == CLI_VALUE_NUMBER)
      continue;
    put_start(stream, name, identifier, word);
    fprintf(stream, " %zu %zu'", i, operands[i].repeats ? (size_t)UINT16_MAX : i);
    put_value(stream, &operands[i].value, identifier);
    fputc('\n', stream);
  }
}

/* ---- Lists for the template's function ------------------------------------- */

static void put_valued(FILE *stream, const cli_command *command, const char *word) {
  const cli_option *option;
  for (size_t i = 0; (option = cli_command_option(command, i)) != NULL; i++) {
    if (option->value.kind == CLI_VALUE_NONE)
      continue;
    fprintf(stream, " '%s --%s'", word, option->name);
    if (option->id < CLI_OPTIONS_OWN)
      fprintf(stream, " '%s -%c'", word, option->id);
  }
}

static void put_lists(FILE *stream, const char *identifier, const cli_command *program) {
  const cli_command *const none[] = {NULL};
  const cli_command *const *commands = program->commands ? program->commands : none;
  fprintf(stream, "set -g __%s_commands", identifier);
  for (size_t i = 0; commands[i]; i++)
    fprintf(stream, " %s", cli_command_word(commands[i]));
  fprintf(stream, "\nset -g __%s_first", identifier);
  if (program->options_first)
    fputs(" ''", stream);
  for (size_t i = 0; commands[i]; i++)
    if (commands[i]->options_first)
      fprintf(stream, " %s", cli_command_word(commands[i]));
  fprintf(stream, "\nset -g __%s_valued", identifier);
  put_valued(stream, program, "");
  for (size_t i = 0; commands[i]; i++)
    put_valued(stream, commands[i], cli_command_word(commands[i]));
  fputc('\n', stream);
}

bool document_fish(FILE *stream, const cli_command *program, const char *folder) {
  char path[4096];
  snprintf(path, sizeof path, "%s/completion.fish", folder);
  if (!document_template(stream, path, program->name))
    return false;
  document_name identifier = document_joined(program->name, '_');
  put_lists(stream, identifier.text, program);
  put_command(stream, program->name, identifier.text, "", program);
  for (size_t i = 0; program->commands && program->commands[i]; i++)
    put_command(stream, program->name, identifier.text, cli_command_word(program->commands[i]),
                program->commands[i]);
  return true;
}
