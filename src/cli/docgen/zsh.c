#include <stdlib.h>
#include <string.h>

#include "cli/docgen/text.h"
#include "cli/docgen/zsh.h"

/* ---- Pieces of specifications for _arguments, inside single quotes ------------- */

static const document_escape escapes[] = {{':', "\\:"},   {'[', "\\["},    {']', "\\]"},
                                          {'\\', "\\\\"}, {'\'', "'\\''"}, {0}};

/* Writes text with ':', brackets and quotes escaped. */
static void put_quoted(FILE *stream, const char *text, int size) {
  document_put(stream, text, (size_t)size, escapes);
}

/* ((name\:"help" ...)). zsh parses it again, as separate words. */
static void put_choices(FILE *stream, cli_choices *choices) {
  cli_choice choice;
  fputs("((", stream);
  for (size_t i = 0; choices(i, &choice); i++) {
    fprintf(stream, "%s%s", i > 0 ? " " : "", choice.name);
    if (!choice.help)
      continue;
    fputs("\\:\"", stream);
    put_quoted(stream, choice.help, document_brief(choice.help));
    fputc('"', stream);
  }
  fputs("))", stream);
}

/* :label:action */
static void put_value(FILE *stream, const cli_value *value) {
  char label[64];
  cli_value_label(value, label, sizeof label);
  fputc(':', stream);
  put_quoted(stream, label, (int)strlen(label));
  fputc(':', stream);
  switch (value->kind) {
  case CLI_VALUE_CHOICE: put_choices(stream, value->choices); break;
  case CLI_VALUE_FILE:
    fputs("_files", stream);
    if (value->extension)
      fprintf(stream, " -g \"*.%s\"", value->extension);
    break;
  case CLI_VALUE_FOLDER: fputs("_files -/", stream); break;
  case CLI_VALUE_FUNCTION: fputs("_functions_of_profile", stream); break;
  default: fputc(' ', stream); break;
  }
}

/*
 * '*'{-o+,--output=}'[help]:FILE:_files'. '*' allows an option more than once, which is harmless.
 */
static void put_option(FILE *stream, const cli_option *option) {
  bool valued = option->value.kind != CLI_VALUE_NONE;
  fputs(" \\\n    '*'", stream);
  if (option->id < CLI_OPTIONS_OWN)
    fprintf(stream, "{-%c%s,--%s%s}", option->id, valued ? "+" : "", option->name,
            valued ? "=" : "");
  else
    fprintf(stream, "--%s%s", option->name, valued ? "=" : "");
  fputs("'[", stream);
  put_quoted(stream, option->help, document_brief(option->help));
  fputc(']', stream);
  if (valued)
    put_value(stream, &option->value);
  fputc('\'', stream);
}

static void put_operands(FILE *stream, const cli_operand *operands) {
  for (size_t i = 0; operands && operands[i].value.kind; i++) {
    if (operands[i].repeats)
      fputs(" \\\n    '*", stream);
    else
      fprintf(stream, " \\\n    '%zu", i + 1);
    put_value(stream, &operands[i].value);
    fputc('\'', stream);
  }
}

static void put_arguments(FILE *stream, const cli_command *command) {
  fprintf(stream, "_arguments -s -S%s", command->options_first ? " -A '-*'" : "");
  const cli_option *option;
  for (size_t i = 0; (option = cli_command_option(command, i)) != NULL; i++)
    put_option(stream, option);
  put_operands(stream, command->operands);
}

/* ---- The file ------------------------------------------------------------- */

/* The words after the command are parsed as a separate line, which begins with the command. */
static void put_commands(FILE *stream, const cli_command *program) {
  fputs(" \\\n    '*::argument:->argument' && return\n  case $line[1] in\n", stream);
  for (const cli_command *const *command = program->commands; *command; command++) {
    fprintf(stream, "  %s)\n    ", cli_command_word(*command));
    put_arguments(stream, *command);
    fputs("\n    ;;\n", stream);
  }
  fputs("  esac\n", stream);
}

bool document_zsh(FILE *stream, const cli_command *program, const char *folder) {
  char path[4096];
  snprintf(path, sizeof path, "%s/completion.zsh", folder);
  fprintf(stream, "#compdef %s\n", program->name);
  if (!document_template(stream, path, program->name))
    return false;
  document_name identifier = document_joined(program->name, '_');
  fprintf(stream, "\n_%s() {\n", identifier.text);
  fputs("  local context state state_descr line\n  typeset -A opt_args\n  ", stream);
  put_arguments(stream, program);
  if (program->commands)
    put_commands(stream, program);
  else
    fputc('\n', stream);
  fprintf(stream, "}\n\n_%s \"$@\"\n", identifier.text);
  return true;
}
