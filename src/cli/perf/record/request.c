/* The command line of wasm-perf record. */
#include "cli/perf/record/request.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "cli/common/file.h"
#include "cli/common/file_system.h"
#include "cli/common/message.h"
#include "cli/common/selection_options.h"
#include "cli/perf/commands.h"
#include "cli/perf/common.h"
#include "cli/perf/http.h"
#include "cli/perf/input/profiles.h"
#include "cli/perf/record/engine_tables.h"
#include "wasm_perf/wasm_perf.h"

/* ---- The tables ----------------------------------------------------------- */

enum {
  OPTION_ENGINE = CLI_OPTIONS_OWN,
  OPTION_ENGINE_OPTION,
  OPTION_DIR,
  OPTION_ENV,
  OPTION_NODE_LIMIT,
  OPTION_RECURSION,
  OPTION_TIMES,
  OPTION_MODULE,
  OPTION_INVOKE,
  OPTION_PER_INSTANCE,
  OPTION_KEEP_ARGUMENTS,
  OPTION_DETERMINISTIC,
  OPTION_COMPARE,
  OPTION_NO_INLINING,
  OPTION_BUDGET,
  OPTION_DURATION,
  OPTION_EVERY,
  OPTION_LISTEN,
  OPTION_OPEN,
  OPTION_NO_HOOKS,
  OPTION_SYMBOLS
};

/* The forms of an output's name: one per extension, then the .wperf. */
static bool output_choice(size_t index, cli_choice *choice) {
  const wasm_perf_report_format *format = wasm_perf_report_formats;
  for (; format->name; format++) {
    if (!format->extension)
      continue;
    snprintf(choice->name, sizeof choice->name, "FILE.%s", format->extension);
    choice->help = format->summary;
    if (cli_format_for_path(choice->name) == format && index-- == 0)
      return true;
  }
  *choice = (cli_choice){"FILE.wperf", "the profile, for wasm-perf report"};
  return index == 0;
}

static const cli_option main_options[] = {
    {'o',
     "output",
     {.kind = CLI_VALUE_FILE, .label = "FILE", .choices = output_choice},
     "write the report to FILE; default: the name of MODULE, or of the script that COMMAND runs, "
     "with "
     ".html, in the current folder; with --coverage, coverage.info and coverage.html"},
    {OPTION_OPEN, "open", CLI_NO_VALUE, "open the report in a browser"},
    {OPTION_NO_HOOKS, "no-hooks", CLI_NO_VALUE,
     "run the modules as they are and only sample them: every 0.7 ms in Node.js, every millisecond "
     "in wasmtime. Nothing distorts the times, but calls are not counted; --times adds the times "
     "to "
     "the calls of another run"},
    {OPTION_DETERMINISTIC, "deterministic", CLI_NO_VALUE,
     "fix the host, so that two runs count the same: clocks, random numbers, environment, time "
     "zone "
     "and locale, terminal, times and order of files. Implies --clock instructions"},
    {OPTION_COMPARE, "compare", CLI_NO_VALUE,
     "also run the program without the profiler, and report how much slower it is. Repeats both "
     "silently until that is known to within 5 %, at most 10 times and for about a minute; Node.js "
     "only"},
    {OPTION_BUDGET, "budget", CLI_TEXT("PERCENT"),
     "hook the functions that take the most time, as long as all hooks together cost at most "
     "PERCENT of the run, for example 3%. Runs the program many times; only the last run prints. "
     "Saves the choice as NAME.whitelist next to the output"},
    {0}};

static const cli_option name_options[] = {
    {OPTION_SYMBOLS, "symbols", CLI_FILE("FILE", NULL),
     "name functions without a name from FILE: another build of the module, whose names are shown "
     "as ~NAME, a folder of builds, a symbol map, or Emscripten's JavaScript. May be repeated"},
    {0}};

static const cli_option program_options[] = {
    {OPTION_ENGINE, "engine", CLI_CHOICE("ENGINE", cli_engine_choice),
     "run with this engine; default: the first one found"},
    {OPTION_ENGINE_OPTION, "engine-option", CLI_TEXT("OPTION"),
     "pass OPTION to the engine: --engine-option=--stack-size=4000"},
    {OPTION_INVOKE, "invoke", CLI_TEXT("EXPORT"),
     "call this exported function of a module that is not a command, with numbers as arguments, "
     "and print its results; Node.js only"},
    {OPTION_DIR, "dir", CLI_FOLDER("HOST[::GUEST]"),
     "give the program access to folder HOST, as GUEST; by default it can use only its three "
     "streams. Node.js is not a sandbox: a symbolic link inside can lead out"},
    {OPTION_ENV, "env", CLI_TEXT("NAME=VALUE"),
     "set a variable in the program's environment, which is empty by default"},
    {0}};

static const cli_option watch_options[] = {
    {OPTION_DURATION, "duration", CLI_TEXT("TIME"),
     "stop the program with SIGTERM after TIME, and keep its profile: 30s, 500ms, 2m"},
    {OPTION_EVERY, "every", CLI_TEXT("TIME"),
     "write a report every TIME while the program runs: NAME-1, NAME-2 and so on; SIGUSR1 writes "
     "one more. Node.js only"},
    {OPTION_LISTEN, "listen", CLI_TEXT("[HOST:]PORT"),
     "serve profiles while the program runs: a page at http://127.0.0.1:PORT/, and for go tool "
     "pprof /debug/pprof/profile?seconds=N and other endpoints of Go; Node.js only"},
    {0}};

static const cli_option sample_options[] = {
    {OPTION_NO_INLINING, "no-inlining", CLI_NO_VALUE,
     "turn off V8's inlining, so that each function has its own samples. Programs with small "
     "functions run several times slower. By default, an inlined function's time is charged to its "
     "caller"},
    {0}};

static const cli_option tree_options[] = {
    CLI_NODE_LIMIT_OPTION(OPTION_NODE_LIMIT),
    CLI_RECURSION_OPTION(OPTION_RECURSION),
    {OPTION_TIMES, "times", CLI_FILE("FILE", NULL),
     "count calls in this run, with --clock none, and read the times of another run from FILE: a "
     "profile recorded with --no-hooks, a .cpuprofile, a guest profile of wasmtime, or the output "
     "of perf script"},
    {0}};

static const cli_option session_options[] = {
    {OPTION_MODULE, "module", CLI_TEXT("GLOB"),
     "only modules whose file name or module name matches GLOB; repeatable"},
    {OPTION_KEEP_ARGUMENTS, "keep-arguments", CLI_NO_VALUE,
     "name the program's arguments in the profile; by default it names only the program, as "
     "arguments may be secret"},
    {OPTION_PER_INSTANCE, "per-instance", CLI_NO_VALUE,
     "show the instances of a module separately; not with --clock sampled"},
    {0}};

const cli_option_group cli_request_session_options = {"JavaScript programs", session_options};
const cli_option_group cli_request_main_options = {NULL, main_options};
const cli_option_group cli_request_name_options = {"Names", name_options};
const cli_option_group cli_request_program_options = {"The program and its engine",
                                                      program_options};
const cli_option_group cli_request_watch_options = {"While it runs", watch_options};
const cli_option_group cli_request_sample_options = {"Samples", sample_options};
const cli_option_group cli_request_tree_options = {"The call tree", tree_options};

/* ---- Options ------------------------------------------------------------- */

static int add_engine_option(cli_request *request, const char *value) {
  cli_list_add(&request->engine_options, cli_text("%s", value));
  return CLI_PROCEED;
}

static int add_variable(cli_request *request, const char *value) {
  const char *equals = strchr(value, '=');
  if (!equals || equals == value)
    return cli_usage_error(cli_record_command.name, "--env '%s' is not of the form NAME=VALUE",
                           value);
  cli_list_add(&request->variables, cli_text("%s", value));
  return CLI_PROCEED;
}

/* Adds the option to the words for wasm-instrument, with absolute paths. */
static void add_instrument_word(cli_request *request, const cli_parser *parser) {
  const cli_option *option = parser->option;
  bool is_file = parser->value && option->value.kind == CLI_VALUE_FILE;
  char *path = is_file ? wi_file_absolute_path(parser->value) : NULL;
  const char *value = path ? path : parser->value;
  cli_list_add(&request->instrument_words,
               value ? cli_text("--%s=%s", option->name, value) : cli_text("--%s", option->name));
  free(path);
}

/* Adds the build for the module that is run, and for the modules of a program. */
static void add_symbols(cli_request *request, const char *value) {
  char *path = wi_file_absolute_path(value);
  cli_list_add(&request->symbols, cli_text("%s", value));
  cli_list_add(&request->instrument_words, cli_text("--names=%s", path ? path : value));
  free(path);
}

static int take_budget(cli_request *request, const char *value) {
  if (cli_parse_budget(value, &request->budget))
    return CLI_PROCEED;
  return cli_usage_error(cli_record_command.name, CLI_BUDGET_WANTED, value);
}

static int take_time(const cli_parser *parser, uint64_t *time) {
  if (cli_parse_time(parser->value, time))
    return CLI_PROCEED;
  return cli_usage_error(cli_record_command.name, CLI_TIME_WANTED, parser->option->name,
                         parser->value);
}

static int take_address(cli_request *request, const char *value) {
  request->listen = value;
  if (cli_http_address_is_valid(value))
    return CLI_PROCEED;
  return cli_usage_error(cli_record_command.name, "--listen wants [HOST:]PORT, not '%s'", value);
}

/* Applies an option of wi_selection_options. */
static int take_selection_option(cli_request *request, const cli_parser *parser, int option) {
  const char *path;
  wi_error error;
  bool is_clock = wi_selection_option_is_clock(option);
  if (!is_clock) /* session_settings.c adds the clock */
    add_instrument_word(request, parser);
  if (!is_clock || !request->hook_option) {
    request->hook_option = parser->option->name;
    request->gives_only_clock = is_clock;
  }
  switch (
      wi_selection_option(parser, option, &request->options, &request->selection, &path, &error)) {
  case WI_OPTION_USAGE: return cli_usage_error(cli_record_command.name, "%s", error.message);
  case WI_OPTION_FAILED: return cli_fail_module(request->failure, path, &error), CLI_EXIT_FAILURE;
  default: return CLI_PROCEED;
  }
}

static int take_option(cli_request *request, const cli_parser *parser, int option) {
  int status;
  if (cli_coverage_option(&request->coverage, parser, option, cli_record_command.name, &status))
    return status;
  switch (option) {
  case OPTION_ENGINE: request->engine = parser->value; break;
  case OPTION_ENGINE_OPTION: return add_engine_option(request, parser->value);
  case OPTION_DIR: cli_list_add(&request->dirs, cli_text("%s", parser->value)); break;
  case OPTION_ENV: return add_variable(request, parser->value);
  case OPTION_NODE_LIMIT:
    request->node_limit = parser->number;
    add_instrument_word(request, parser);
    break;
  case OPTION_RECURSION:
    request->options.recursion = (wasm_perf_recursion)parser->choice;
    add_instrument_word(request, parser);
    break;
  case OPTION_MODULE: cli_list_add(&request->module_globs, cli_text("%s", parser->value)); break;
  case OPTION_INVOKE: request->invoke = parser->value; break;
  case OPTION_DETERMINISTIC:
    request->options.deterministic = true;
    add_instrument_word(request, parser);
    break;
  case OPTION_PER_INSTANCE: request->per_instance = true; break;
  case OPTION_KEEP_ARGUMENTS: request->keep_arguments = true; break;
  case OPTION_COMPARE: request->compare = true; break;
  case OPTION_NO_INLINING: request->no_inlining = true; break;
  case OPTION_DURATION: return take_time(parser, &request->duration);
  case OPTION_EVERY: return take_time(parser, &request->every);
  case OPTION_OPEN: request->open = true; break;
  case OPTION_NO_HOOKS: request->sample = request->plain = true; break;
  case OPTION_SYMBOLS: add_symbols(request, parser->value); break;
  case OPTION_LISTEN: return take_address(request, parser->value);
  case OPTION_BUDGET: return take_budget(request, parser->value);
  case OPTION_TIMES: request->times_path = parser->value; break;
  case 'o': request->output = parser->value; break;
  default: return take_selection_option(request, parser, option);
  }
  return CLI_PROCEED;
}

/* ---- Operands ------------------------------------------------ */

static bool is_script(const char *word) {
  static const char *const endings[] = {".js", ".mjs", ".cjs", ".ts", ".mts", ".cts"};
  for (size_t i = 0; i < sizeof endings / sizeof *endings; i++)
    if (word[0] != '-' && cli_ends_with(word, endings[i]))
      return true;
  return false;
}

/* Whether the word is a command or a script, so that '--' is missing before it. */
static bool is_command(const char *word) {
  if (is_script(word))
    return true;
  char *executable = access(word, F_OK) == 0 ? NULL : cli_executable_find(word);
  free(executable);
  return executable != NULL;
}

/* Takes MODULE, the program's arguments and a final -o. */
static int take_module(cli_request *request, size_t count, char **words) {
  if (count < 1)
    return cli_usage_missing(&cli_record_command, "a module or a command");
  request->module_path = words[0];
  if (strcmp(request->module_path, "-") == 0)
    return cli_usage_error(cli_record_command.name,
                           "the module must be a file, because the engine reads it as well");
  if (is_command(words[0]))
    return cli_usage_error(cli_record_command.name,
                           "'%s' is not a module; to profile a command: %s -- %s%s%s%s", words[0],
                           cli_record_command.name, is_script(words[0]) ? "node " : "", words[0],
                           count > 1 ? " " : "", count > 1 ? words[1] : "");
  request->args = words + 1;
  request->arg_count = count - 1;
  if (request->arg_count > 0 && strcmp(words[1], "--") == 0) {
    request->args++;
    request->arg_count--;
  } else if (request->arg_count > 1 && !request->output && strcmp(words[count - 2], "-o") == 0) {
    request->output = words[count - 1];
    request->arg_count -= 2;
  } else if (request->arg_count > 0 && !request->output && strcmp(words[count - 1], "-o") == 0) {
    return cli_usage_error(cli_record_command.name,
                           "-o needs a FILE; if it is the program's argument, "
                           "write '--' after the module");
  }
  return CLI_PROCEED;
}

/* Whether the next word is a script that Node.js loads before the program. */
static bool loads_script(const char *word) {
  static const char *const options[] = {"-r", "--require", "--import", "--loader",
                                        "--experimental-loader"};
  for (size_t i = 0; i < sizeof options / sizeof *options; i++)
    if (strcmp(word, options[i]) == 0)
      return true;
  return false;
}

/* Names a command after its script, or after its executable if it has no script. */
static const char *name_of_command(char *const *words) {
  for (char *const *word = words + 1; *word; word++)
    if (loads_script(*word) && word[1])
      word++;
    else if (is_script(*word))
      return wi_path_name(*word);
  return wi_path_name(words[0]);
}

/* Takes the command of a JavaScript program. */
static int take_command(cli_request *request, size_t count, char **words) {
  if (count < 1)
    return cli_usage_error(cli_record_command.name, "a command is missing after '--'");
  if (cli_has_extension(words[0], "wasm"))
    return cli_usage_error(cli_record_command.name,
                           "'%s' is a module, not a command: leave out the '--'", words[0]);
  request->command_words = words;
  request->module_path = name_of_command(words);
  return CLI_PROCEED;
}

/* Chooses the format by the extension of the output. */
static int choose_format(cli_request *request) {
  const char *output = request->output;
  const wasm_perf_report_format *format = output ? cli_format_for_path(output) : NULL;
  const char *usual = request->options.count_branches ? "lcov" : "html";
  request->format = output ? format : wasm_perf_report_format_find(usual);
  if (request->options.count_branches && request->format == wasm_perf_report_format_find("html"))
    request->format = wasm_perf_report_format_find("coverage_page");
  if (output && !format && !cli_has_extension(output, "wperf"))
    return cli_usage_error(cli_record_command.name,
                           "cannot tell the format from the name '%s'; --help lists the formats",
                           output);
  if (request->open && output && !cli_has_extension(output, "html") &&
      !cli_has_extension(output, "svg"))
    return cli_usage_error(cli_record_command.name, "--open needs -o FILE.html or FILE.svg");
  return CLI_PROCEED;
}

/* Prints a note on a terminal if one of our options comes after the module. */
static void note_late_options(const cli_request *request, const cli_parser *parser) {
  bool is_meant = parser->operand_count > 1 && strcmp(parser->operands[1], "--") == 0;
  for (size_t i = 0; i < request->arg_count && !is_meant && cli_messages_on_terminal(); i++) {
    if (!cli_is_option(&cli_record_command, request->args[i]))
      continue;
    cli_message("%s: '%s' comes after the module, so it is passed to the program; if that is "
                "intended, write '--' after the module",
                cli_record_command.name, request->args[i]);
    return;
  }
}

int cli_request_parse(cli_request *request, int argc, char **argv) {
  request->options = (wi_options)CLI_DEFAULT_OPTIONS;
  cli_parser parser;
  cli_parser_init(&parser, &cli_record_command, argc, argv);
  int option;
  while ((option = cli_parser_next(&parser)) != CLI_OPTIONS_END) {
    int status = take_option(request, &parser, option);
    if (status != CLI_PROCEED)
      return status;
  }
  if (parser.status != CLI_PROCEED)
    return parser.status;
  if (parser.ended_options)
    cli_parser_imply(&parser, CLI_COMMAND_OPERAND);
  int status = cli_parser_check(&parser);
  if (status == CLI_PROCEED)
    status = parser.ended_options ? take_command(request, parser.operand_count, parser.operands)
                                  : take_module(request, parser.operand_count, parser.operands);
  if (status == CLI_PROCEED)
    note_late_options(request, &parser);
  return status == CLI_PROCEED ? choose_format(request) : status;
}

void cli_request_clear(cli_request *request) {
  cli_list_clear(&request->engine_options);
  cli_list_clear(&request->dirs);
  cli_list_clear(&request->variables);
  cli_list_clear(&request->instrument_words);
  cli_list_clear(&request->symbols);
  cli_list_clear(&request->module_globs);
  cli_coverage_clear(&request->coverage);
  wi_selection_free(request->selection);
}
