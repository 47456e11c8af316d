/* Generates man pages in mdoc. */
#include <ctype.h>
#include <string.h>

#include "cli/docgen/man.h"
#include "cli/docgen/text.h"

/* ---- Text ----------------------------------------------------------------- */

/*
 * Characters that roff would interpret or replace. '-' is escaped because it is copied into shells:
 * it must not become a hyphen.
 */
static const document_escape escapes[] = {
    {'\\', "\\e"},  {'-', "\\-"},   {'\'', "\\(aq"}, {'"', "\\(dq"},
    {'`', "\\(ga"}, {'^', "\\(ha"}, {'~', "\\(ti"},  {0}};

/* Writes a word. In a `parsed` line, roff takes words of two or three letters for macros. */
static void put_word(FILE *stream, const char *word, size_t size, bool parsed) {
  if (word[0] == '.' || (parsed && size <= 3 && isupper((unsigned char)word[0])))
    fputs("\\&", stream);
  document_put(stream, word, size, escapes);
}

/* Writes a macro's words or, if `wraps`, text in lines of the usual length. */
static void put_line(FILE *stream, const char *text, size_t size, bool wraps) {
  enum { LINE_LIMIT = 60 }; /* characters of the text, before escaping */
  size_t column = 0;
  for (const char *end = text + size; text < end;) {
    size_t word_size = strcspn(text, " \n");
    if (column > 0) {
      bool full = wraps && column + word_size > LINE_LIMIT;
      fputc(full ? '\n' : ' ', stream);
      column = full ? 0 : column + 1;
    }
    put_word(stream, text, word_size, !wraps);
    column += word_size;
    text += word_size;
    text += strspn(text, " ");
  }
  fputc('\n', stream);
}

/* Writes text; each sentence begins a new line. */
static void put_text(FILE *stream, const char *text) {
  while (*text) {
    size_t size = strcspn(text, "\n");
    const char *stop = strstr(text, ". ");
    bool sentence = stop && stop < text + size;
    if (sentence)
      size = (size_t)(stop + 1 - text);
    put_line(stream, text, size, true);
    text += size;
    if (!sentence && text[0] == '\n')
      fputs(text[1] == '\n' ? ".Pp\n" : ".br\n", stream);
    text += strspn(text, " \n");
  }
}

/* ---- Lists ---------------------------------------------------------------- */

static void begin_list(FILE *stream, const char *options) {
  fprintf(stream, ".Bl -tag -width Ds%s\n", options);
}

static void put_item(FILE *stream, const char *macro, const char *name) {
  fprintf(stream, ".It %s ", macro);
  put_line(stream, name, strlen(name), false);
}

static void put_entries(FILE *stream, const char *heading, const char *macro,
                        const cli_entry *entries) {
  if (!entries)
    return;
  fprintf(stream, ".Sh %s\n", heading);
  begin_list(stream, "");
  for (const cli_entry *entry = entries; entry->name; entry++) {
    put_item(stream, macro, entry->name);
    put_text(stream, entry->help);
  }
  fputs(".El\n", stream);
}

static void put_choices(FILE *stream, cli_choices *choices) {
  cli_choice choice;
  bool begun = false;
  for (size_t i = 0; choices && choices(i, &choice); i++) {
    if (!choice.help)
      continue;
    if (!begun)
      fputs(".Pp\n", stream);
    if (!begun)
      begin_list(stream, " -compact");
    begun = true;
    put_item(stream, "Cm", choice.name);
    put_text(stream, choice.help);
  }
  if (begun)
    fputs(".El\n", stream);
}

/* ---- Sections ------------------------------------------------------------- */

/* The name of a page: "wasm-perf-report" for "wasm-perf report". */
static void put_page_name(FILE *stream, const cli_command *command, bool upper) {
  document_name name = document_joined(command->name, '-');
  for (const char *c = name.text; *c; c++)
    fputc(upper ? toupper((unsigned char)*c) : *c, stream);
}

/* One word of a usage line: an option, "[OPTIONAL]..." or an operand. */
static void put_usage_word(FILE *stream, const char *word, size_t size) {
  bool optional = word[0] == '[';
  size_t repeats = size > 3 && memcmp(word + size - 3, "...", 3) == 0 ? 3 : 0;
  size -= repeats;
  if (optional) {
    word++;
    size -= 2;
  }
  const char *macro = word[0] == '-' ? "Fl" : "Ar";
  fprintf(stream, ".%s%s ", optional ? "Op " : "", macro);
  if (word[0] == '-') {
    word++;
    size--;
  }
  for (size_t i = 0; i < size; i++)
    fputc(word[i], stream);
  fputs(repeats ? " ...\n" : "\n", stream);
}

static void put_synopsis(FILE *stream, const cli_command *command) {
  fputs(".Sh SYNOPSIS\n", stream);
  for (size_t i = 0; command->usages && command->usages[i]; i++) {
    fprintf(stream, ".Nm %s\n", command->name);
    for (const char *word = command->usages[i]; *word;) {
      size_t size = strcspn(word, " ");
      put_usage_word(stream, word, size);
      word += size;
      word += strspn(word, " ");
    }
  }
}

static void put_commands(FILE *stream, const cli_command *program) {
  if (!program->commands)
    return;
  fputs(".Pp\nIts commands are:\n", stream);
  begin_list(stream, "");
  for (const cli_command *const *command = program->commands; *command; command++) {
    fputs(".It Xr ", stream);
    put_page_name(stream, *command, false);
    fputs(" 1\n", stream);
    put_text(stream, (*command)->summary);
  }
  fputs(".El\n", stream);
}

static void put_option(FILE *stream, const cli_option *option) {
  char label[64];
  cli_value_label(&option->value, label, sizeof label);
  fputs(".It ", stream);
  if (option->id < CLI_OPTIONS_OWN)
    fprintf(stream, "Fl %c , ", option->id);
  fprintf(stream, "Fl -%s", option->name);
  fprintf(stream, "%s%s\n", *label ? " Ar " : "", label);
  put_text(stream, option->help);
  put_choices(stream, option->value.choices);
}

static void put_options(FILE *stream, const cli_command *command) {
  if (!command->groups)
    return;
  fputs(".Sh OPTIONS\n", stream);
  for (const cli_option_group *const *group = command->groups; *group; group++) {
    if ((*group)->heading) {
      fputs(".Ss ", stream);
      put_line(stream, (*group)->heading, strlen((*group)->heading), false);
    }
    begin_list(stream, "");
    for (const cli_option *option = (*group)->options; option->name; option++)
      put_option(stream, option);
    fputs(".El\n", stream);
  }
}

/* Writes the examples, the first one after `start`. */
static void put_examples(FILE *stream, const char *start, const cli_entry *examples) {
  for (const cli_entry *example = examples; example && example->name; example++) {
    fputs(example > examples ? ".Pp\n" : start, stream);
    put_text(stream, example->help);
    fputs(".Bd -literal -offset indent\n", stream);
    document_put(stream, example->name, strlen(example->name), escapes);
    fputs("\n.Ed\n", stream);
  }
}

static void put_see_also(FILE *stream, const cli_command *command,
                         const cli_command *const *pages) {
  fputs(".Sh SEE ALSO\n", stream);
  size_t count = 0;
  for (; *pages; pages++) {
    if (*pages == command)
      continue;
    fputs(count++ > 0 ? " ,\n.Xr " : ".Xr ", stream);
    put_page_name(stream, *pages, false);
    fputs(" 1", stream);
  }
  fputc('\n', stream);
}

void document_man(FILE *stream, const cli_command *command, const cli_command *const *pages,
                  const char *date) {
  fprintf(stream, ".Dd %s\n.Dt ", date);
  put_page_name(stream, command, true);
  fputs(" 1\n.Os\n.Sh NAME\n.Nm ", stream);
  put_page_name(stream, command, false);
  fputs("\n.Nd ", stream);
  put_line(stream, command->summary, strlen(command->summary), false);
  put_synopsis(stream, command);
  fputs(".Sh DESCRIPTION\n", stream);
  put_text(stream, command->description ? command->description : command->summary);
  put_commands(stream, command);
  put_options(stream, command);
  put_entries(stream, "ENVIRONMENT", "Ev", command->environment);
  put_entries(stream, "EXIT STATUS", "Sy", command->exit_codes);
  put_examples(stream, ".Sh EXAMPLES\n", command->examples);
  put_examples(stream, ".Pp\n", command->native_examples);
  put_see_also(stream, command, pages);
}
