/* wasm-perf symbols: names for a stripped module from other builds of it. */
#include <errno.h>
#include <inttypes.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli/common/file.h"
#include "cli/common/message.h"
#include "cli/perf/commands.h"
#include "cli/perf/common.h"
#include "cli/perf/input/similar.h"
#include "support/clean.h"
#include "symbols/build.h"
#include "symbols/learn.h"

static int symbols_main(int argc, char **argv);

#define LEARN "learn"

static const cli_option symbols_options[] = {
    {'o', "output", CLI_FILE("FILE", "names"),
     "with the word " LEARN
     " before the modules: write signatures of their functions to FILE, which "
     "is then a FROM for other modules"},
    {0}};
static const cli_option_group symbols_group = {NULL, symbols_options};

const cli_command cli_symbols_command = {
    .name = "wasm-perf symbols",
    .summary = "name the functions of a stripped module from another build",
    .usages = (const char *const[]){"[OPTION]... IN.wasm [FROM]...", NULL},
    .description =
        "Prints a line for each function of IN.wasm that is found in FROM, a build with names: its "
        "index in IN.wasm, its name and a confidence from 0 to 1, separated by tabs. That build "
        "may have other options or a neighbouring version, or come before or after wasm-opt. Of "
        "several builds the most confident name wins. A function without a nearly certain name is "
        "left out.\n\nFunctions of common libraries (C and C++ of Emscripten and WASI, Rust's "
        "standard library, zlib) are named if no FROM is given.",
    .operands = (const cli_operand[]){{.value = CLI_FILE("IN.wasm", "wasm")},
                                      {.repeats = true, .value = CLI_FILE("FROM", "wasm")},
                                      {0}},
    .groups = (const cli_option_group *const[]){&symbols_group, &cli_help_options, NULL},
    .exit_codes = cli_report_exit_codes,
    .examples = (const cli_entry[]){{"wasm-perf symbols app.wasm app.debug.wasm",
                                     "prints the names of app.wasm's functions"},
                                    {0}},
    .main = symbols_main,
};

/* A build and the file that contains it. */
typedef struct named_module {
  const char *path;
  uint8_t *bytes;
  size_t size;
  wi_build build;
} named_module;

static void close_module(named_module *file) {
  wi_build_close(&file->build);
  free(file->bytes);
}

/* False on failure, printed on stderr; the file is then closed. */
static bool open_module(named_module *file, const char *path) {
  wi_error error;
  *file = (named_module){.path = path};
  wi_error_reset(&error);
  if (!cli_file_read(path, &file->bytes, &file->size, NULL))
    return false;
  if (wi_build_open(&file->build, file->bytes, file->size, &error))
    return true;
  cli_module_error(path, &error);
  free(file->bytes);
  return false;
}

/* Signatures wait until all builds have given their names. */
static bool add_names(wi_namings *namings, wi_signatures *signatures, const named_module *in,
                      const char *path) {
  wi_name_file_use use;
  bool done = cli_name_file_add(namings, signatures, path, in->path, &use);
  if (done && wi_name_file_problem(use))
    cli_error(path, "%s", wi_name_file_problem(use));
  return done;
}

/* Prints a line. The name is cleaned, as a tab or a line break would split it in two. */
static bool print_name(uint32_t function, const char *name, double confidence) {
  size_t room = 4 * strlen(name) + 1;
  char *clean = malloc(room);
  if (!clean)
    return cli_error(NULL, "out of memory"), false;
  wi_text_clean(name, strlen(name), clean, room);
  printf("%" PRIu32 "\t%s\t%.3f\n", function, clean, confidence);
  free(clean);
  return true;
}

static bool print_names(const wi_namings *namings) {
  uint32_t count = wi_module_function_count(namings->module);
  for (uint32_t i = 0; i < count; i++) {
    const char *name = wi_namings_get(namings, i);
    if (name && !print_name(i, name, (double)namings->items[i].confidence))
      return false;
  }
  if (fflush(stdout) == 0 && !ferror(stdout))
    return true;
  return cli_error(wi_file_output_name("-"), "%s", strerror(errno)), false;
}

/* Where names are wanted from other files, the table has nothing else. */
static bool add_signatures(wi_namings *namings, wi_signatures *signatures, const named_module *in,
                           bool with_known) {
  wi_error error;
  wi_error_reset(&error);
  bool done = (!with_known || wi_signatures_read_known(signatures, &error)) &&
              wi_signatures_name(signatures, namings, in->build.names, &error);
  if (!done)
    cli_module_error(in->path, &error);
  return done;
}

static bool name_module(const named_module *in, char **paths, size_t count) {
  wi_namings namings = {.module = &in->build.module, .own = in->build.names};
  wi_signatures signatures = {0};
  bool done = true;
  if (in->build.named.size > 0 && !wi_namings_add_own(&namings)) {
    cli_error(NULL, "out of memory");
    done = false;
  }
  for (size_t i = 0; done && i < count; i++)
    done = add_names(&namings, &signatures, in, paths[i]);
  done = done && add_signatures(&namings, &signatures, in, count == 0) && print_names(&namings);
  wi_signatures_clear(&signatures);
  wi_namings_clear(&namings);
  return done;
}

/* ---- Learning ----------------------------------------------------------------------------- */

static bool learn_module(wi_learner *learner, const char *path) {
  named_module file;
  wi_error error;
  wi_error_reset(&error);
  if (!open_module(&file, path))
    return false;
  bool done = wi_learner_add(learner, &file.build, &error);
  if (!done)
    cli_module_error(path, &error);
  close_module(&file);
  return done;
}

static bool write_signatures(wi_learner *learner, const char *output) {
  wi_buffer out = {0};
  uint32_t count = wi_learner_write(learner, &out);
  bool done = false;
  if (out.failed)
    cli_error(NULL, "out of memory");
  else if (count == 0)
    cli_error(NULL, "no named function is long enough to be recognised by its code");
  else if (!(done = wi_file_write(output, out.data, out.size)))
    cli_error(wi_file_output_name(output), "%s", strerror(errno));
  wi_buffer_clear(&out);
  return done;
}

static bool learn(char **paths, size_t count, const char *output) {
  wi_learner learner = {0};
  bool done = true;
  for (size_t i = 0; done && i < count; i++)
    done = learn_module(&learner, paths[i]);
  done = done && write_signatures(&learner, output);
  wi_learner_clear(&learner);
  return done;
}

/* ---- The command -------------------------------------------------------------------------- */

static int symbols_main(int argc, char **argv) {
  cli_parser parser;
  named_module in;
  const char *output = NULL;
  cli_parser_init(&parser, &cli_symbols_command, argc, argv);
  while (cli_parser_next(&parser) != CLI_OPTIONS_END)
    output = parser.value;
  if (parser.status != CLI_PROCEED)
    return parser.status;
  bool learns = parser.operand_count > 0 && strcmp(parser.operands[0], LEARN) == 0;
  if (parser.operand_count < (learns ? 2 : 1))
    return cli_usage_error(cli_symbols_command.name, "a module is missing");
  if (learns != (output != NULL))
    return cli_usage_error(cli_symbols_command.name, "--output needs " LEARN);
  if (learns)
    return learn(parser.operands + 1, parser.operand_count - 1, output) ? CLI_EXIT_SUCCESS
                                                                        : CLI_EXIT_FAILURE;
  signal(SIGPIPE, SIG_DFL); /* end silently in `| head`, even if the parent ignores the signal */
  if (!open_module(&in, parser.operands[0]))
    return CLI_EXIT_FAILURE;
  bool done = name_module(&in, parser.operands + 1, parser.operand_count - 1);
  close_module(&in);
  return done ? CLI_EXIT_SUCCESS : CLI_EXIT_FAILURE;
}
