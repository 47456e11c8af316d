#include "cli/common/help.h"

#include <stdlib.h>
#include <string.h>

#include "cli/common/message.h"

enum {
  WIDTH = 80,
  LABEL_LIMIT = 25, /* after a longer label, the text begins on the next line */
};

/* ---- Text ----------------------------------------------------------------- */

static void indent(FILE *stream, size_t count) {
  fprintf(stream, "%*s", (int)count, "");
}

/*
 * Prints `text`, starting on a line that is already filled up to `column`, and a newline. Further
 * lines are indented to `column`.
 */
static void print_text(FILE *stream, const char *text, size_t column) {
  size_t at = column;
  while (*text) {
    size_t size = strcspn(text, " \n");
    if (at > column && at + 1 + size > WIDTH) {
      fputc('\n', stream);
      indent(stream, column);
      at = column;
    } else if (at > column && size > 0) {
      fputc(' ', stream);
      at++;
    }
    fwrite(text, 1, size, stream);
    at += size;
    text += size;
    for (; *text == ' ' || *text == '\n'; text++)
      if (*text == '\n') {
        fputc('\n', stream);
        if (text[1] != '\n' && text[1] != '\0')
          indent(stream, column);
        at = column;
      }
  }
  fputc('\n', stream);
}

/* Prints a label, and its text from `column`. */
static void print_row(FILE *stream, const char *label, const char *help, size_t column) {
  size_t size = strlen(label);
  fputs(label, stream);
  if (size + 2 > column) {
    fputc('\n', stream);
    size = 0;
  }
  indent(stream, column - size);
  print_text(stream, help, column);
}

/* The same; in the npm package the text says if this needs the native tool. */
static void print_marked_row(FILE *stream, const char *label, const char *help, size_t column,
                             bool is_native) {
  char text[1024];
  bool is_marked = is_native && !cli_is_native;
  snprintf(text, sizeof text, "%s%s", help, is_marked ? " (needs " CLI_NATIVE ")" : "");
  print_row(stream, label, text, column);
}

static void print_heading(FILE *stream, const char *heading) {
  fprintf(stream, "\n%s:\n", heading);
}

/* Widens `column` to fit the texts after this label, unless the label is too long. */
static size_t wider(size_t column, const char *label) {
  size_t size = strlen(label);
  return size <= LABEL_LIMIT && size + 2 > column ? size + 2 : column;
}

/* ---- Options -------------------------------------------------------------- */

static void option_label(const cli_option *option, char *label, size_t size) {
  char value[64];
  cli_value_label(&option->value, value, sizeof value);
  char letter[] = "    ";
  if (option->id < CLI_OPTIONS_OWN)
    snprintf(letter, sizeof letter, "-%c, ", option->id);
  snprintf(label, size, "  %.4s--%s%s%s", letter, option->name, *value ? " " : "", value);
}

/* Prints the choices with a help text; the label lists the others. */
static void print_choices(FILE *stream, cli_choices *choices, size_t column) {
  cli_choice choice;
  char label[sizeof choice.name + 80];
  size_t text_column = 0;
  for (size_t i = 0; choices && choices(i, &choice); i++) {
    snprintf(label, sizeof label, "%*s%s", (int)column, "", choice.name);
    if (text_column < strlen(label) + 2)
      text_column = strlen(label) + 2;
  }
  for (size_t i = 0; choices && choices(i, &choice); i++) {
    snprintf(label, sizeof label, "%*s%s", (int)column, "", choice.name);
    if (choice.help)
      print_row(stream, label, choice.help, text_column);
  }
}

static void print_options(FILE *stream, const cli_command *command) {
  char label[128];
  size_t column = 0;
  const cli_option *option;
  for (size_t i = 0; (option = cli_command_option(command, i)) != NULL; i++) {
    option_label(option, label, sizeof label);
    column = wider(column, label);
  }
  for (const cli_option_group *const *group = command->groups; group && *group; group++) {
    print_heading(stream, (*group)->heading ? (*group)->heading : "Options");
    for (option = (*group)->options; option->name; option++) {
      option_label(option, label, sizeof label);
      print_marked_row(stream, label, option->help, column, cli_option_is_native(command, option));
      if (!option->value.listed_by)
        print_choices(stream, option->value.choices, column + 2);
    }
  }
}

/* Prints those that the command calls usual, with the choices that a text needs. */
static void print_usual_options(FILE *stream, const cli_command *command) {
  char label[128];
  size_t column = 0;
  const cli_option *option;
  print_heading(stream, "Usual options");
  for (const char *const *name = command->usual; *name; name++) {
    option_label(cli_command_option_named(command, *name), label, sizeof label);
    column = wider(column, label);
  }
  for (const char *const *name = command->usual; *name; name++) {
    option = cli_command_option_named(command, *name);
    option_label(option, label, sizeof label);
    print_marked_row(stream, label, option->help, column, cli_option_is_native(command, option));
    if (option->help[strlen(option->help) - 1] == ':')
      print_choices(stream, option->value.choices, column + 2);
  }
}

/* ---- Other sections ------------------------------------------------------- */

static void print_commands(FILE *stream, const cli_command *program) {
  if (!program->commands)
    return;
  print_heading(stream, "Commands");
  char label[64];
  size_t column = 0;
  for (const cli_command *const *command = program->commands; *command; command++) {
    snprintf(label, sizeof label, "  %s", cli_command_word(*command));
    column = wider(column, label);
  }
  for (const cli_command *const *command = program->commands; *command; command++) {
    snprintf(label, sizeof label, "  %s", cli_command_word(*command));
    if (!(*command)->is_unlisted)
      print_marked_row(stream, label, (*command)->summary, column, (*command)->is_native);
  }
}

static void print_entries(FILE *stream, const char *heading, const cli_entry *entries) {
  if (!entries)
    return;
  print_heading(stream, heading);
  char label[64];
  size_t column = 0;
  for (const cli_entry *entry = entries; entry->name; entry++) {
    snprintf(label, sizeof label, "  %s", entry->name);
    column = wider(column, label);
  }
  for (const cli_entry *entry = entries; entry->name; entry++) {
    snprintf(label, sizeof label, "  %s", entry->name);
    print_row(stream, label, entry->help, column);
  }
}

static void print_examples(FILE *stream, const char *heading, const cli_entry *examples) {
  if (!examples)
    return;
  if (heading)
    print_heading(stream, heading);
  for (const cli_entry *example = examples; example->name; example++) {
    fputs("  ", stream);
    for (const char *c = example->name; *c; c++)
      fputs(*c == '\n' ? "\n  " : (const char[]){*c, '\0'}, stream);
    fputc('\n', stream);
    indent(stream, 6);
    print_text(stream, example->help, 6);
  }
}

int cli_flush(const cli_command *command) {
  if (fflush(stdout) == 0 && !ferror(stdout))
    return CLI_EXIT_SUCCESS;
  cli_message_unwritten(command->name, "<stdout>");
  return CLI_EXIT_FAILURE;
}

int cli_help_choices(const cli_command *command, const char *heading, cli_choices *choices) {
  printf("%s:\n", heading);
  print_choices(stdout, choices, 2);
  return cli_flush(command);
}

static void print_first_paragraph(FILE *stream, const char *text) {
  char paragraph[1024];
  const char *end = strstr(text, "\n\n");
  snprintf(paragraph, sizeof paragraph, "%.*s", (int)(end ? (size_t)(end - text) : strlen(text)),
           text);
  print_text(stream, paragraph, 0);
}

static void print_usual(FILE *stream, const cli_command *command) {
  fputc('\n', stream);
  print_first_paragraph(stream, command->description);
  print_usual_options(stream, command);
}

static void print_whole(FILE *stream, const cli_command *command) {
  if (command->description) {
    fputc('\n', stream);
    print_text(stream, command->description, 0);
  }
  print_commands(stream, command);
  print_options(stream, command);
  print_entries(stream, "Environment", command->environment);
  print_entries(stream, "Exit status", command->exit_codes);
}

static int print_help(const cli_command *command, bool whole) {
  FILE *stream = stdout;
  for (size_t i = 0; command->usages && command->usages[i]; i++)
    fprintf(stream, "%s %s %s\n", i == 0 ? "Usage:" : "      ", command->name, command->usages[i]);
  if (whole)
    print_whole(stream, command);
  else
    print_usual(stream, command);
  print_examples(stream, "Examples", command->examples);
  print_examples(stream, cli_is_native ? NULL : "Examples for " CLI_NATIVE,
                 command->native_examples);
  if (!whole)
    fprintf(stream, "\n'%s --help-all' prints all options.\n", command->name);
  return cli_flush(command);
}

int cli_help_print(const cli_command *command) {
  return print_help(command, command->usual == NULL);
}

int cli_help_print_all(const cli_command *command) {
  return print_help(command, true);
}
