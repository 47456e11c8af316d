/* The wasm-instrument command: reads one module and writes the instrumented one. */
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "cli/common/build_names.h"
#include "cli/common/file.h"
#include "cli/common/file_input.h"
#include "cli/common/message.h"
#include "cli/common/selection_options.h"
#include "cli/common/targets.h"
#include "cli/instrument/budget.h"
#include "cli/instrument/options.h"
#include "cli/instrument/side_file.h"
#include "support/clean.h"

#define PROGRAM "wasm-instrument"

typedef struct command {
  const char *input;
  const char *output;
  const char *path;   /* of the module; NULL: unknown */
  const char *caller; /* script that compiles the module; NULL: unknown */
  bool list;
  bool quiet;
  bool verbose;
  wi_options options;
  const cli_target *target; /* of --for; NULL: not given */
  const char *source_map;   /* NULL: the one that the module names */
  const char *debug_file;   /* likewise */
  wi_selection *selection;  /* owned */
  cli_percentage budget;    /* whole is 0: none */
  const char *profile;      /* for --budget */
  const char **modules;     /* globs, NULL-terminated; owned */
  size_t module_count;
  const char **exports; /* globs of --write-at, likewise */
  size_t export_count;
  const char **names; /* files to name functions from; owned */
  bool hints;
  size_t name_count;
  wi_file_input file; /* valid while the input is open */
} command;

/* ---- Messages ----------------------------------------------------------- */

static void print_message(const char *path, const char *message) {
  if (path)
    cli_message(PROGRAM ": %s: %s", path, message);
  else
    cli_message(PROGRAM ": %s", message);
}

static int fail_with(const char *path, const wi_error *error) {
  char text[512];
  if (error->code == WI_ERROR_OPTION)
    return cli_usage_error(PROGRAM, "%s", error->message);
  wi_error_format(error, text, sizeof text);
  print_message(path, text);
  return CLI_EXIT_FAILURE;
}

static int fail_with_errno(const char *path) {
  print_message(path, strerror(errno));
  return CLI_EXIT_FAILURE;
}

static int fail_to_write(const char *name) {
  cli_message_unwritten(PROGRAM, name);
  return CLI_EXIT_FAILURE;
}

static void warn(const command *c, const char *message) {
  if (c->quiet)
    return;
  char text[1100];
  snprintf(text, sizeof text, "warning: %s", message);
  print_message(wi_file_input_name(c->input), text);
}

static void print_warning(void *user, const char *message) {
  warn(user, message);
}

/* A warning about a file other than the module. */
static void print_note(void *user, const char *path, const char *message) {
  const command *c = user;
  char text[1100];
  snprintf(text, sizeof text, "warning: %s", message);
  if (!c->quiet)
    print_message(path, text);
}

/* ---- The command line --------------------------------------------------- */

static int take_selection_option(command *c, const cli_parser *parser, int option) {
  wi_error error;
  const char *path;
  switch (wi_selection_option(parser, option, &c->options, &c->selection, &path, &error)) {
  case WI_OPTION_USAGE: return cli_usage_error(PROGRAM, "%s", error.message);
  case WI_OPTION_FAILED: return fail_with(path, &error);
  default: return CLI_PROCEED;
  }
}

static int take_budget(command *c, const char *value) {
  if (cli_parse_budget(value, &c->budget))
    return CLI_PROCEED;
  return cli_usage_error(PROGRAM, CLI_BUDGET_WANTED, value);
}

static int take_option(command *c, const cli_parser *parser, int option) {
  switch (option) {
  case 'o': c->output = parser->value; break;
  case OPTION_LIST: c->list = true; break;
  case OPTION_IMPORT_MODULE: c->options.import_module = parser->value; break;
  case OPTION_EMBED: c->options.embed = true; break;
  case OPTION_FOR: c->target = cli_target_at(parser->choice); break;
  case OPTION_SINGLE_MEMORY: c->options.single_memory = true; break;
  case OPTION_NO_FILE: c->options.no_file = true; break;
  case OPTION_DETERMINISTIC: c->options.deterministic = true; break;
  case OPTION_STDERR: c->options.to_stderr = true; break;
  case OPTION_WRITE_AT: c->exports[c->export_count++] = parser->value; break;
  case OPTION_WRITE_EVERY: c->options.write_every = parser->number; break;
  case OPTION_WRITE_BY: c->options.write_by = parser->value; break;
  case OPTION_MODULE: c->modules[c->module_count++] = parser->value; break;
  case OPTION_RECURSION: c->options.recursion = (wasm_perf_recursion)parser->choice; break;
  case OPTION_NODE_LIMIT: c->options.node_limit = parser->number; break;
  case OPTION_FLUSH: c->options.flush = true; break;
  case OPTION_SOURCE_MAP: c->source_map = parser->value; break;
  case OPTION_DEBUG_FILE: c->debug_file = parser->value; break;
  case OPTION_FORCE: c->options.force = true; break;
  case OPTION_BUDGET: return take_budget(c, parser->value);
  case OPTION_PROFILE: c->profile = parser->value; break;
  case OPTION_NAMES: c->names[c->name_count++] = parser->value; break;
  case OPTION_HINTS: c->hints = true; break;
  case OPTION_PATH: c->path = parser->value; break;
  case OPTION_CALLER: c->caller = parser->value; break;
  case 'q': c->quiet = true; break;
  case 'v': c->verbose = true; break;
  default: return take_selection_option(c, parser, option);
  }
  return CLI_PROCEED;
}

static int parse(command *c, int argc, char **argv) {
  cli_parser parser;
  cli_parser_init(&parser, &wi_instrument_command, argc, argv);
  int option;
  while ((option = cli_parser_next(&parser)) != CLI_OPTIONS_END) {
    int result = take_option(c, &parser, option);
    if (result != CLI_PROCEED)
      return result;
  }
  if (parser.status != CLI_PROCEED)
    return parser.status;
  if (c->list || wasm_perf_clock_forms(c->options.clock) == WASM_PERF_FORM_EMBEDDED)
    cli_parser_imply(&parser, "embed");
  int result = cli_parser_check(&parser);
  if (result != CLI_PROCEED)
    return result;
  c->options.single_memory |= c->target && c->target->has_one_memory;
  c->options.modules = c->module_count > 0 ? c->modules : NULL;
  c->options.write_at = c->export_count > 0 ? c->exports : NULL;
  if (parser.operand_count == 0)
    return cli_usage_error(PROGRAM, "no input file");
  if (parser.operand_count > 1)
    return cli_usage_error(PROGRAM, "more than one input file; give the output with -o");
  if (!c->list && !c->output)
    return cli_usage_error(PROGRAM, "no output file: give -o OUTPUT, or --list");
  if (!c->list && strcmp(c->output, "-") == 0 && isatty(STDOUT_FILENO))
    return cli_usage_error(PROGRAM, "refusing to write a binary to a terminal");
  if ((c->source_map || c->debug_file) && c->output && strcmp(c->output, "-") == 0)
    return cli_usage_error(PROGRAM, "%s needs an output file, as it writes a new file next to it",
                           c->source_map ? "--source-map" : "--debug-file");
  if (!c->profile != (c->budget.whole == 0))
    return cli_usage_error(PROGRAM, "--budget and --profile must be used together");
  c->input = parser.operands[0];
  if (!c->path && strcmp(c->input, "-") != 0)
    c->path = c->input;
  return CLI_PROCEED;
}

/* ---- Running ------------------------------------------------------------ */

/* Longer names are truncated: lines are meant to be read. */
static const char *clean_name(const char *name, char text[4096]) {
  wi_text_clean(name, strlen(name), text, 4096);
  return text;
}

/* The heading above listed functions. Nothing is printed for a module that cannot be read. */
typedef struct heading {
  bool printed;
  char module[256]; /* the core module of a component */
} heading;

static void print_heading(heading *above, const char *module) {
  char name[4096];
  if (above->printed && (!module || strcmp(above->module, module) == 0))
    return;
  if (module)
    printf("%score module %s\n", above->printed ? "\n" : "", clean_name(module, name));
  printf("%8s %10s  %s  %s\n", "index", "instrs", "hook", "name");
  snprintf(above->module, sizeof above->module, "%s", module ? module : "");
  above->printed = true;
}

static void print_function(void *user, const wi_function_info *info) {
  char name[4096];
  print_heading(user, info->module_name);
  printf("%8" PRIu32 " %10" PRIu32 "  %4c  %s\n", info->index, info->instruction_count,
         info->chosen ? '+' : '-', clean_name(info->name, name));
}

static int list(const command *c, const uint8_t *bytes, size_t size) {
  wi_error error;
  heading above = {0};
  if (!wi_list_functions(bytes, size, &c->options, print_function, &above, &error))
    return fail_with(wi_file_input_name(c->input), &error);
  if (fflush(stdout) != 0)
    return fail_to_write("<stdout>");
  return CLI_EXIT_SUCCESS;
}

static void print_summary(const command *c, size_t size, const wi_output *output, double seconds) {
  cli_message(PROGRAM ": %s: %" PRIu32 " of %" PRIu32 " functions instrumented, %" PRIu32
                      " imports added, %zu -> %zu bytes (%+.1f %%), read by %s, %.1f ms of CPU",
              c->input, output->instrumented_count, output->function_count, output->import_count,
              size, output->size, 100.0 * ((double)output->size / (double)size - 1.0),
              output->reader, 1e3 * seconds);
}

/* Tells what --for chose. */
static void print_choice(const command *c, const wi_output *output) {
  if (c->target && output->has_single_memory && !c->quiet)
    cli_message(PROGRAM ": %s: %s allows one memory, so the profile is in the module's own",
                wi_file_input_name(c->input), c->target->name);
}

/* The files that belong to the module. */
typedef struct side_files {
  side_file source_map;
  side_file debug_file;
} side_files;

static int write_side_file(const side_file *file, const uint8_t *bytes, size_t size) {
  return !bytes || wi_file_write(file->path, bytes, size) ? CLI_EXIT_SUCCESS
                                                          : fail_with_errno(file->path);
}

static int write_output(const command *c, const wi_output *output, const side_files *files) {
  if (write_side_file(&files->source_map, output->source_map, output->source_map_size) ||
      write_side_file(&files->debug_file, output->debug_file, output->debug_file_size))
    return CLI_EXIT_FAILURE;
  if (!wi_file_write(c->output, output->bytes, output->size))
    return fail_to_write(wi_file_output_name(c->output));
  return CLI_EXIT_SUCCESS;
}

/* Says where the output loses profiles. */
static void warn_of_losses(const command *c, const wi_output *output) {
  if (output->lacks_writer && !c->options.to_stderr)
    warn(c, "the module cannot write its profile when it ends, as it imports nothing of "
            "wasi_snapshot_preview1, or exports no memory named memory: call its exports "
            "wasm_perf_profile and wasm_perf_read to get it");
  if (output->is_start_only)
    warn(c, "the profile that the module writes is of _start only: a host that calls other "
            "exports after it gets theirs from wasm_perf_profile and wasm_perf_read");
  if (output->never_flushes)
    warn(c, "--flush has no effect: the module exports no _start and imports no proc_exit; "
            "take the profile from the runtime");
}

static int instrument_with(const command *c, const uint8_t *bytes, size_t size,
                           const side_files *files) {
  wi_error error;
  wi_output output;
  wi_options options = c->options;
  options.module_name = strcmp(c->input, "-") == 0 ? NULL : wi_path_name(c->input);
  clock_t start = clock();
  if (!wi_instrument(bytes, size, &options, &output, &error))
    return fail_with(wi_file_input_name(c->input), &error);
  double seconds = (double)(clock() - start) / CLOCKS_PER_SEC;
  if (!wi_file_input_is_unchanged(&c->file)) {
    print_message(c->input, "it changed while it was read");
    wi_output_clear(&output);
    return CLI_EXIT_FAILURE;
  }
  int result = write_output(c, &output, files);
  if (result == CLI_EXIT_SUCCESS)
    warn_of_losses(c, &output);
  if (result == CLI_EXIT_SUCCESS)
    print_choice(c, &output);
  if (result == CLI_EXIT_SUCCESS && c->verbose)
    print_summary(c, size, &output, seconds);
  wi_output_clear(&output);
  return result;
}

static bool open_side_files(side_files *files, const command *c, const uint8_t *bytes, size_t size,
                            const char **failed) {
  side_url map = {0}, debug = {0};
  map.text = wi_source_map_url(bytes, size, &map.size);
  debug.text = wi_debug_file_url(bytes, size, &debug.size);
  const char *output = c->output ? c->output : c->input; /* --list writes no files */
  *files = (side_files){0};
  *failed = c->source_map;
  if (!side_file_open(&files->source_map, c->source_map, map, WI_SOURCE_MAP_SIZE_LIMIT, c->input,
                      output, ".map"))
    return false;
  *failed = c->debug_file;
  return side_file_open(&files->debug_file, c->debug_file, debug, WI_FILE_SIZE_LIMIT, c->input,
                        output, ".debug.wasm");
}

static void give_side_files(command *c, const side_files *files) {
  wi_options *options = &c->options;
  options->source_map = files->source_map.bytes;
  options->source_map_size = files->source_map.size;
  options->source_map_url = files->source_map.url;
  options->debug_file = files->debug_file.bytes;
  options->debug_file_size = files->debug_file.size;
  options->debug_file_url = files->debug_file.url;
}

static int list_or_instrument(command *c, const uint8_t *bytes, size_t size) {
  side_files files;
  const char *failed;
  int result;
  if (open_side_files(&files, c, bytes, size, &failed)) {
    give_side_files(c, &files);
    result = c->list ? list(c, bytes, size) : instrument_with(c, bytes, size, &files);
  } else {
    result = fail_with_errno(failed);
  }
  side_file_close(&files.source_map);
  side_file_close(&files.debug_file);
  return result;
}

/* Releases the input that was already rewritten, to make room for the output. */
static void pass_input(void *user, size_t size) {
  wi_file_input_pass(&((command *)user)->file, size);
}

/* Selects functions by the profile, if requested. */
static int choose(command *c, const wi_file_input *file) {
  const char *path;
  wi_error error;
  if (!c->profile)
    return CLI_PROCEED;
  if (!c->selection && !(c->selection = wi_selection_new()))
    return fail_with_errno(PROGRAM);
  c->options.selection = c->selection;
  if (budget_select(c->profile, c->budget, file->bytes, file->size, c->selection, &path, &error))
    return CLI_PROCEED;
  return fail_with(path, &error);
}

/* Runs the command on the module, with names from other files. */
static int run_with_names(command *c, const uint8_t *bytes, size_t size) {
  char *path;
  wi_buffer named;
  wi_error error;
  const cli_name_request from = {.module_path = c->path,
                                 .caller = c->caller,
                                 .paths = c->names,
                                 .count = c->name_count,
                                 .is_any = strcmp(c->input, "-") == 0,
                                 .hints = c->hints || c->options.memory, /* of allocators */
                                 .note = print_note,
                                 .user = c};
  if (!cli_name_functions(&from, bytes, size, &named, &error, &path)) {
    const char *about = path ? path : wi_file_input_name(c->input);
    if (error.code == WI_ERROR_NONE)
      fail_with_errno(about);
    else
      fail_with(about, &error);
    free(path);
    return CLI_EXIT_FAILURE;
  }
  if (named.size > 0) {
    c->options.pass = NULL; /* the rewritten bytes are not the input file's */
    bytes = named.data;
    size = named.size;
  }
  int result = list_or_instrument(c, bytes, size);
  wi_buffer_clear(&named);
  return result;
}

static int run(command *c) {
  wi_file_input *file = &c->file;
  if (!wi_file_input_open(file, c->input))
    return fail_with_errno(wi_file_input_name(c->input));
  int result = choose(c, file);
  if (result == CLI_PROCEED)
    result = run_with_names(c, file->bytes, file->size);
  wi_file_input_close(file);
  return result;
}

int main(int argc, char **argv) {
  command c = {.options = CLI_DEFAULT_OPTIONS};
  c.options.warn = print_warning;
  c.options.pass = pass_input;
  c.options.user = &c;
  c.modules = calloc((size_t)argc + 1, sizeof *c.modules);
  c.exports = calloc((size_t)argc + 1, sizeof *c.exports);
  c.names = calloc((size_t)argc + 1, sizeof *c.names);
  int result = c.modules && c.exports && c.names ? parse(&c, argc, argv) : fail_with_errno(NULL);
  if (result == CLI_PROCEED)
    result = run(&c);
  wi_selection_free(c.selection);
  free(c.modules);
  free(c.exports);
  free(c.names);
  return result;
}
