/* wasm-perf symbols: names for a stripped module from other builds of it. */
#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli/common/file.h"
#include "cli/common/message.h"
#include "cli/perf/commands.h"
#include "cli/perf/common.h"
#include "support/clean.h"
#include "symbols/build.h"
#include "symbols/namings.h"

static int symbols_main(int argc, char **argv);

const cli_command cli_symbols_command = {
    .name = "wasm-perf symbols",
    .summary = "name the functions of a stripped module by another build",
    .usages = (const char *const[]){"IN.wasm FROM.wasm [FROM.wasm]...", NULL},
    .description =
        "Prints a line for each function of IN.wasm that a build with names has, too: its index in "
        "IN.wasm, its name and a confidence from 0 to 1, separated by tabs. That build may have "
        "other options or a neighbouring version, or come before or after wasm-opt. Of several "
        "builds the most confident name wins. A function without a nearly certain name is left "
        "out.",
    .operands = (const cli_operand[]){{.value = CLI_FILE("IN.wasm", "wasm")},
                                      {.repeats = true, .value = CLI_FILE("FROM.wasm", "wasm")},
                                      {0}},
    .groups = (const cli_option_group *const[]){&cli_help_options, NULL},
    .exit_codes = cli_report_exit_codes,
    .examples = (const cli_entry[]){{"wasm-perf symbols app.wasm app.debug.wasm",
                                     "what the functions of app.wasm are called"},
                                    {0}},
    .main = symbols_main,
};

/* A build and the file that contains it. */
typedef struct named_module {
  const char *path;
  uint8_t *bytes;
  wi_build build;
} named_module;

static void close_module(named_module *file) {
  wi_build_close(&file->build);
  free(file->bytes);
}

/* False on failure, printed on stderr; the file is then closed. */
static bool open_module(named_module *file, const char *path) {
  size_t size;
  wi_error error;
  wi_error_reset(&error);
  *file = (named_module){.path = path};
  if (!cli_file_read(path, &file->bytes, &size))
    return false;
  if (wi_build_open(&file->build, file->bytes, size, &error))
    return true;
  cli_module_error(path, &error);
  free(file->bytes);
  return false;
}

/* Warns of a build that named no function. */
static void tell(const named_module *in, const named_module *from, const wi_matches *matches) {
  if (matches->is_unrelated)
    cli_error(from->path, "no build of %s: no function is named after it", in->path);
  else if (matches->matched_count == 0)
    cli_error(from->path, "has no function in common with %s", in->path);
}

static bool add_names(wi_namings *namings, const named_module *in, const char *path) {
  named_module from;
  wi_matches matches = {0};
  wi_error in_error, from_error;
  wi_error_reset(&in_error);
  wi_error_reset(&from_error);
  if (!open_module(&from, path))
    return false;
  bool done = wi_namings_add(namings, &from.build.module, from.build.names, &matches, &in_error,
                             &from_error);
  if (done)
    tell(in, &from, &matches);
  else if (in_error.message[0])
    cli_module_error(in->path, &in_error);
  else
    cli_module_error(path, &from_error);
  wi_matches_clear(&matches);
  close_module(&from);
  return done;
}

/* Cleans names, as a tab or a line break would split one in two. */
static bool print_names(const wi_namings *namings) {
  uint32_t count = wi_module_function_count(namings->module);
  for (uint32_t i = 0; i < count; i++) {
    const char *name = wi_namings_get(namings, i);
    if (!name)
      continue;
    size_t size = strlen(name);
    char *clean = malloc(4 * size + 1);
    if (!clean)
      return cli_error(NULL, "memory ran out"), false;
    wi_text_clean(name, size, clean, 4 * size + 1);
    printf("%u\t%s\t%.3f\n", (unsigned)i, clean, (double)namings->items[i].confidence);
    free(clean);
  }
  if (fflush(stdout) == 0 && !ferror(stdout))
    return true;
  return cli_error(wi_file_output_name("-"), "%s", strerror(errno)), false;
}

static bool name_module(const named_module *in, char **paths, size_t count) {
  wi_namings namings = {.module = &in->build.module};
  bool done = true;
  if (in->build.named.size > 0 && !wi_namings_add_own(&namings, in->build.names)) {
    cli_error(NULL, "memory ran out");
    done = false;
  }
  for (size_t i = 0; done && i < count; i++)
    done = add_names(&namings, in, paths[i]);
  done = done && print_names(&namings);
  wi_namings_clear(&namings);
  return done;
}

static int symbols_main(int argc, char **argv) {
  cli_parser parser;
  named_module in;
  cli_parser_init(&parser, &cli_symbols_command, argc, argv);
  while (cli_parser_next(&parser) != CLI_OPTIONS_END) {
  }
  if (parser.status != CLI_PROCEED)
    return parser.status;
  if (parser.operand_count < 2)
    return cli_usage_error(cli_symbols_command.name, "a module and another build of it are needed");
  signal(SIGPIPE, SIG_DFL); /* end silently in `| head`, even if the parent ignores the signal */
  if (!open_module(&in, parser.operands[0]))
    return CLI_EXIT_FAILURE;
  bool done = name_module(&in, parser.operands + 1, parser.operand_count - 1);
  close_module(&in);
  return done ? CLI_EXIT_SUCCESS : CLI_EXIT_FAILURE;
}
