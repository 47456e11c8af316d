/*
 * wi-documents TEMPLATES FOLDER DATE: writes man pages and completions of all commands, options for
 * JavaScript, and tables of pages in src/docs, to new folders in FOLDER. Rejects tables that contradict themselves.
 */
#define _GNU_SOURCE /* asprintf */

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "cli/docgen/bash.h"
#include "cli/docgen/fish.h"
#include "cli/docgen/js.h"
#include "cli/docgen/man.h"
#include "cli/docgen/targets.h"
#include "cli/docgen/text.h"
#include "cli/docgen/zsh.h"
#include "cli/instrument/options.h"
#include "cli/perf/commands.h"

static const cli_command *const programs[] = {&wi_instrument_command, &cli_perf_program, NULL};

static _Noreturn void fail(const char *subject, const char *message) {
  fprintf(stderr, "wi-documents: %s: %s\n", subject, message);
  exit(EXIT_FAILURE);
}

/* ---- Tables --------------------------------------------------------------- */

static void check_option(const cli_command *command, const cli_option *option, size_t index) {
  const cli_option *other;
  for (size_t i = 0; i < index; i++) {
    other = cli_command_option(command, i);
    if (other->id == option->id || strcmp(other->name, option->name) == 0)
      fail(command->name, "two options have the same name, letter or id");
  }
  if (!option->help)
    fail(command->name, "an option has no help");
  if (option->value.kind == CLI_VALUE_CHOICE && !option->value.choices)
    fail(command->name, "a choice has no choices");
}

static void check_command(const cli_command *command) {
  if (!command->usages || !command->summary || !command->description)
    fail(command->name, "usage, summary or description is missing");
  const cli_option *option;
  size_t count = 0;
  for (; (option = cli_command_option(command, count)) != NULL; count++)
    check_option(command, option, count);
  if (count > CLI_OPTION_LIMIT)
    fail(command->name, "more options than CLI_OPTION_LIMIT");
}

/* ---- Files ---------------------------------------------------------------- */

static char *join(const char *format, const char *first, const char *second) {
  char *text;
  if (asprintf(&text, format, first, second) < 0)
    fail(first, "out of memory");
  return text;
}

static void make_folder(const char *path) {
  if (mkdir(path, 0777) != 0 && errno != EEXIST)
    fail(path, strerror(errno));
}

/* Opens FOLDER/KIND/NAME, and creates the folder KIND if needed. Never returns NULL. */
static FILE *open_document(const char *folder, const char *kind, const char *name) {
  char *parent = join("%s/%s", folder, kind);
  make_folder(parent);
  char *path = join("%s/%s", parent, name);
  FILE *stream = fopen(path, "w");
  if (!stream)
    fail(path, strerror(errno));
  free(parent);
  free(path);
  return stream;
}

static void close_document(FILE *stream, const char *name) {
  bool written = !ferror(stream);
  if (fclose(stream) != 0 || !written)
    fail(name, "cannot be written");
}

/* ---- The documents -------------------------------------------------------- */

typedef bool completion_writer(FILE *stream, const cli_command *program, const char *folder);

static void write_completion(const char *templates, const char *folder, const char *shell,
                             const char *name, completion_writer *write,
                             const cli_command *program) {
  FILE *stream = open_document(folder, shell, name);
  if (!write(stream, program, templates))
    fail(shell, "the template cannot be read");
  close_document(stream, name);
}

static void write_completions(const char *templates, const char *folder,
                              const cli_command *program) {
  char *fish = join("%s%s", program->name, ".fish");
  char *zsh = join("_%s%s", program->name, "");
  write_completion(templates, folder, "bash", program->name, document_bash, program);
  write_completion(templates, folder, "fish", fish, document_fish, program);
  write_completion(templates, folder, "zsh", zsh, document_zsh, program);
  free(fish);
  free(zsh);
}

static void write_page(const char *folder, const cli_command *command,
                       const cli_command *const *pages, const char *date) {
  char *name = join("%s%s", document_joined(command->name, '-').text, ".1");
  FILE *stream = open_document(folder, "man1", name);
  document_man(stream, command, pages, date);
  close_document(stream, name);
  free(name);
}

static void write_js(const char *folder, const cli_command *command) {
  FILE *options = open_document(folder, "js", "options.mjs");
  document_js_options(options, command);
  close_document(options, "options.mjs");
  FILE *types = open_document(folder, "js", "options.d.ts");
  document_js_types(types, command);
  close_document(types, "options.d.ts");
}

static void write_targets(const char *folder) {
  FILE *stream = open_document(folder, "pages", "hosts.md");
  document_targets(stream);
  close_document(stream, "hosts.md");
}

enum { PAGE_LIMIT = 64 };

static int compare_names(const void *left, const void *right) {
  const cli_command *const *a = left, *const *b = right;
  return strcmp((*a)->name, (*b)->name);
}

/* Lists the programs and their commands, sorted by name, for references between man pages. */
static void list_pages(const cli_command **pages) {
  size_t count = 0;
  for (const cli_command *const *program = programs; *program; program++) {
    pages[count++] = *program;
    for (const cli_command *const *c = (*program)->commands; c && *c; c++) {
      if (count == PAGE_LIMIT)
        fail((*c)->name, "more pages than PAGE_LIMIT");
      pages[count++] = *c;
    }
  }
  qsort(pages, count, sizeof *pages, compare_names);
}

int main(int argc, char **argv) {
  if (argc != 4)
    fail("usage", "wi-documents TEMPLATES FOLDER DATE");
  const cli_command *pages[PAGE_LIMIT + 2] = {NULL};
  list_pages(pages);
  make_folder(argv[2]);
  for (size_t i = 0; pages[i]; i++) {
    check_command(pages[i]);
    write_page(argv[2], pages[i], pages, argv[3]);
  }
  for (const cli_command *const *program = programs; *program; program++)
    write_completions(argv[1], argv[2], *program);
  write_js(argv[2], &wi_instrument_command);
  write_targets(argv[2]);
  return EXIT_SUCCESS;
}
