#include "cli/docgen/js.h"

#include <ctype.h>
#include <string.h>

/* Excludes options that are meaningless for a function: files, messages, help. */
static bool is_for_functions(const cli_option_group *group) {
  return group->heading && strcmp(group->heading, "Other") != 0;
}

static void write_camel_case(FILE *stream, const char *name) {
  for (; *name; name++) {
    if (*name == '-')
      fputc(toupper((unsigned char)*++name), stream);
    else
      fputc(*name, stream);
  }
}

static void write_type(FILE *stream, const cli_value *value) {
  cli_choice choice;
  switch (value->kind) {
  case CLI_VALUE_NONE: fputs("boolean", stream); break;
  case CLI_VALUE_NUMBER: fputs("number", stream); break;
  case CLI_VALUE_CHOICE:
    for (size_t i = 0; value->choices(i, &choice); i++)
      fprintf(stream, "%s'%s'", i > 0 ? " | " : "", choice.name);
    break;
  default: fputs("string | readonly string[]", stream);
  }
}

static void write_declaration(FILE *stream, const cli_option *option) {
  bool is_file = option->value.kind == CLI_VALUE_FILE;
  fprintf(stream, "  /** %s%s */\n  ", option->help, is_file ? " (here: the lines of FILE)" : "");
  write_camel_case(stream, option->name);
  fputs("?: ", stream);
  write_type(stream, &option->value);
  fputs(";\n", stream);
}

void document_js_types(FILE *stream, const cli_command *command) {
  fprintf(stream, "/** The options of %s. */\nexport interface InstrumentOptions {\n",
          command->name);
  for (const cli_option_group *const *group = command->groups; *group; group++)
    for (const cli_option *option = (*group)->options; option->name; option++)
      if (is_for_functions(*group))
        write_declaration(stream, option);
  fputs("}\n", stream);
}

void document_js_options(FILE *stream, const cli_command *command) {
  fprintf(stream, "/** The options of %s that the function `instrument` takes. */\n",
          command->name);
  fputs("export const OPTIONS = new Set([\n", stream);
  for (const cli_option_group *const *group = command->groups; *group; group++)
    for (const cli_option *option = (*group)->options; option->name; option++)
      if (is_for_functions(*group))
        fprintf(stream, "  '%s',\n", option->name);
  fputs("]);\n", stream);
}
