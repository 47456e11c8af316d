#include <stdlib.h>
#include <string.h>

#include "cli/docgen/bash.h"
#include "cli/docgen/text.h"

/* ---- Values --------------------------------------------------------------- */

/* Text inside single quotes, where no character can be escaped. */
static void put_quoted(FILE *stream, const char *text) {
  static const document_escape escapes[] = {{'\'', "'\\''"}, {0}};
  document_put(stream, text, strlen(text), escapes);
}

static void put_choices(FILE *stream, cli_choices *choices) {
  cli_choice choice;
  fputs("kind=words choices='", stream);
  for (size_t i = 0; choices(i, &choice); i++) {
    fputs(i > 0 ? " " : "", stream);
    put_quoted(stream, choice.name);
  }
  fputc('\'', stream);
}

static void put_value(FILE *stream, const cli_value *value) {
  switch (value->kind) {
  case CLI_VALUE_CHOICE: put_choices(stream, value->choices); break;
  case CLI_VALUE_FILE:
    fprintf(stream, "kind=files pattern='*%s%s'", value->extension ? "." : "",
            value->extension ? value->extension : "");
    break;
  case CLI_VALUE_FOLDER: fputs("kind=folders", stream); break;
  case CLI_VALUE_FUNCTION: fputs("kind=functions", stream); break;
  default: fputs(":", stream); break;
  }
  fputs(" ;;\n", stream);
}

/* One case per option with a value, and per operand. `word` is the command's, or empty. */
static void put_command_values(FILE *stream, const cli_command *command, const char *word) {
  const cli_option *option;
  for (size_t i = 0; (option = cli_command_option(command, i)) != NULL; i++) {
    if (option->value.kind == CLI_VALUE_NONE)
      continue;
    fprintf(stream, "    '%s --%s'", word, option->name);
    if (option->id < CLI_OPTIONS_OWN)
      fprintf(stream, " | '%s -%c'", word, option->id);
    fputs(") ", stream);
    put_value(stream, &option->value);
  }
  const cli_operand *operand = command->operands;
  for (size_t i = 0; operand && operand[i].value.kind; i++) {
    if (operand[i].repeats)
      fprintf(stream, "    '%s '[0-9]*) ", word);
    else
      fprintf(stream, "    '%s %zu') ", word, i);
    put_value(stream, &operand[i].value);
  }
}

/* ---- Options -------------------------------------------------------------- */

static void put_names(FILE *stream, const cli_command *command, bool only_valued) {
  const cli_option *option;
  const char *space = "";
  for (size_t i = 0; (option = cli_command_option(command, i)) != NULL; i++) {
    if (only_valued && option->value.kind == CLI_VALUE_NONE)
      continue;
    if (option->id < CLI_OPTIONS_OWN)
      fprintf(stream, "%s-%c", space, option->id);
    fprintf(stream, "%s--%s", option->id < CLI_OPTIONS_OWN ? " " : space, option->name);
    space = " ";
  }
}

static void put_options(FILE *stream, const cli_command *command, const char *word) {
  fprintf(stream, "    '%s') options='", word);
  put_names(stream, command, false);
  fputs("' valued='", stream);
  put_names(stream, command, true);
  fprintf(stream, "' first=%s ;;\n", command->options_first ? "1" : "");
}

/* ---- The file ------------------------------------------------------------- */

bool document_bash(FILE *stream, const cli_command *program, const char *folder) {
  char path[4096];
  snprintf(path, sizeof path, "%s/completion.bash", folder);
  if (!document_template(stream, path, program->name))
    return false;
  const cli_command *const *commands = program->commands;
  document_name identifier = document_joined(program->name, '_');
  fputs("\n# A command's options, those that take a value, whether the first operand ends them.\n",
        stream);
  fprintf(stream, "_%s_table() {\n  case $1 in\n", identifier.text);
  put_options(stream, program, "");
  for (size_t i = 0; commands && commands[i]; i++)
    put_options(stream, commands[i], cli_command_word(commands[i]));
  fputs("    *) return 1 ;;\n  esac\n}\n\n# What an option or an operand of a command may be.\n",
        stream);
  fprintf(stream, "_%s_value() {\n  case $1 in\n", identifier.text);
  put_command_values(stream, program, "");
  for (size_t i = 0; commands && commands[i]; i++)
    put_command_values(stream, commands[i], cli_command_word(commands[i]));
  fputs("  esac\n}\n", stream);
  return true;
}
