/* wasm-perf bench: the command line. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "cli/common/file.h"
#include "cli/common/parser.h"
#include "cli/perf/bench/baseline.h"
#include "cli/perf/bench/bench.h"
#include "cli/perf/bench/suite.h"
#include "cli/perf/commands.h"
#include "cli/perf/common.h"
#include "cli/perf/interval.h"
#include "cli/perf/record/engine_tables.h"

enum {
  OPTION_FILE = CLI_OPTIONS_OWN,
  OPTION_BASELINE,
  OPTION_SAVE,
  OPTION_FAIL_ABOVE,
  OPTION_WHY,
  OPTION_PROFILES,
  OPTION_ENGINE,
  OPTION_TIME,
  OPTION_PAIRS
};

static const struct {
  const char *name, *extension, *help;
} formats[] = {
#define CLI_BENCH_FORMAT(name, extension, help) {#name, extension, help},
#include "cli/perf/bench/bench_formats.def"
#undef CLI_BENCH_FORMAT
};

enum { FORMAT_COUNT = sizeof formats / sizeof *formats };

static bool format_choice(size_t index, cli_choice *choice) {
  return index < FORMAT_COUNT && cli_choice_set(choice, formats[index].name, formats[index].help);
}

static int bench_main(int argc, char **argv);

static const cli_option bench_options[] = {
    {OPTION_FILE, "file", CLI_FILE("FILE", "toml"),
     "the list of benchmarks; default: " CLI_SUITE_FILE ". Paths in it are relative to its folder"},
    {OPTION_SAVE, "save", CLI_NO_VALUE,
     "save the counts as the baseline instead of comparing them"},
    {OPTION_BASELINE, "baseline", CLI_FILE("FILE", "json"),
     "the baseline; default: " CLI_BASELINE_FILE " in the folder of the list"},
    {OPTION_FAIL_ABOVE, "fail-above", CLI_TEXT("N%"),
     "exit with 3 if a benchmark's instructions, copies, allocations, peak memory or memory.grow "
     "grew by more than N % of the baseline; default: 1%"},
    {OPTION_WHY, "why", CLI_TEXT("NAME"),
     "run this benchmark and print the functions, calls and lines in which it differs from the "
     "baseline; lines need debug information"},
    {'f', "format", CLI_CHOICE("FORMAT", format_choice),
     "format; default: by the name of the output, else table"},
    {'o', "output", CLI_FILE("FILE", NULL), "write to FILE instead of stdout"},
    {OPTION_PROFILES, "profiles", CLI_FOLDER("FOLDER"),
     "keep each benchmark's profile as FOLDER/NAME.wperf, for wasm-perf open"},
    {OPTION_ENGINE, "engine", CLI_CHOICE("ENGINE", cli_engine_choice),
     "the engine for modules of benchmarks that name none; default: the first one found"},
    {OPTION_TIME, "time", CLI_FILE("FILE", NULL),
     "compare the times of two builds, without hooks, instead of counts. FILE is the other build: "
     "a folder, in which the same list runs, or a module. A difference never fails"},
    {OPTION_PAIRS, "pairs", CLI_NUMBER_UP_TO("N", CLI_INTERVAL_MIN, CLI_INTERVAL_MAX),
     "how often --time runs both builds, 6 to 100 times; default: for 10 seconds, at least 10 "
     "times"},
    {0}};

static const cli_option_group bench_group = {NULL, bench_options};

const cli_command cli_bench_command = {
    .name = "wasm-perf bench",
    .is_native = true,
    .summary = "count what benchmarks execute and compare with a baseline",
    .usages = (const char *const[]){"[OPTION]... [NAME]...", "[OPTION]... MODULE [ARGUMENT]...",
                                    "[OPTION]... -- COMMAND [ARGUMENT]...", NULL},
    .description =
        "Counts the instructions, calls, allocations and memory of benchmarks and compares them "
        "with a baseline in the repository. The counts are the same in each run, on each machine "
        "and in each engine: the host is fixed as by record --deterministic, and every benchmark "
        "runs twice. A benchmark whose runs differ is refused, with the name of the first function "
        "that differs.\n\nRuns the benchmarks that wasm-perf.toml lists, or the named ones among "
        "them; or one module or command. In a JavaScript program, each performance.measure from a "
        "mark has its own row, NAME/MEASURE, with the counts of its thread from its start to its "
        "end; measures with the same name add up.",
    .operands = (const cli_operand[]){{.repeats = true, .value = CLI_FILE("NAME", "wasm")}, {0}},
    .groups = (const cli_option_group *const[]){&bench_group, &cli_help_options, NULL},
    .rules = (const cli_rule[]){{"save", "!why"},
                                {"pairs", "time"},
                                {"time", "!save"},
                                {"time", "!why"},
                                {"time", "!baseline"},
                                {"time", "!fail-above"},
                                {"time", "!profiles"},
                                {0}},
    .environment = cli_engine_environment,
    .exit_codes =
        (const cli_entry[]){
            {CLI_EXIT_TEXT(CLI_EXIT_SUCCESS), "success"},
            {CLI_EXIT_TEXT(CLI_EXIT_FAILURE),
             "a benchmark failed, is gone or differs from run to run, nothing was measured, or a "
             "file cannot be read or written"},
            {CLI_EXIT_TEXT(CLI_EXIT_USAGE), "wrong usage"},
            {CLI_EXIT_TEXT(CLI_EXIT_GREW), "a benchmark grew by more than --fail-above"},
            {0}},
    .examples =
        (const cli_entry[]){
            {"wasm-perf bench --save", "runs the benchmarks of wasm-perf.toml, saves the baseline"},
            {"wasm-perf bench --fail-above 0%",
             "fails if a benchmark executes even one more instruction"},
            {"wasm-perf bench -o comment.md", "writes a comment for a pull request"},
            {"wasm-perf bench --why parse",
             "shows in which functions, calls and lines parse changed"},
            {"wasm-perf bench render/parse",
             "shows only the measure parse of the JavaScript program render"},
            {"wasm-perf bench --time ../main", "compares times with the build in another folder"},
            {0}},
    .options_first = true,
    .main = bench_main,
};

/* ---- The command line ----------------------------------------------------------- */

/* Makes a path absolute, since benchmarks run in another folder. The file need not exist. */
static char *absolute_path(const char *path) {
  if (path[0] == '/' || strcmp(path, "-") == 0)
    return cli_text("%s", path);
  char *folder = getcwd(NULL, 0);
  char *absolute = cli_text("%s/%s", folder ? folder : ".", path);
  free(folder);
  return absolute;
}

static void replace(char **path, const char *value) {
  free(*path);
  *path = absolute_path(value);
}

static void take_option(cli_bench_request *request, const cli_parser *parser, int option) {
  switch (option) {
  case OPTION_FILE: request->file = parser->value; break;
  case OPTION_BASELINE: replace(&request->baseline, parser->value); break;
  case OPTION_SAVE: request->save = true; break;
  case OPTION_FAIL_ABOVE: request->limit_text = parser->value; break;
  case OPTION_WHY: request->why = parser->value; break;
  case OPTION_PROFILES: replace(&request->profiles, parser->value); break;
  case OPTION_ENGINE: request->engine = parser->value; break;
  case OPTION_TIME: replace(&request->other, parser->value); break;
  case OPTION_PAIRS: request->pairs = parser->number; break;
  case 'f': request->format = parser->choice; break;
  case 'o': replace(&request->output, parser->value); break;
  default: break;
  }
}

static int choose_format(cli_bench_request *request) {
  bool is_stream = strcmp(request->output, "-") == 0;
  for (size_t i = 0; i < FORMAT_COUNT && request->format == FORMAT_COUNT; i++)
    if (is_stream || cli_has_extension(request->output, formats[i].extension))
      request->format = i;
  if (request->format < FORMAT_COUNT)
    return CLI_PROCEED;
  return cli_usage_error(cli_bench_command.name,
                         "cannot tell the format from the name '%s'; give --format",
                         wi_path_name(request->output));
}

static int check_limit(cli_bench_request *request) {
  if (cli_parse_percentage(request->limit_text, &request->limit))
    return CLI_PROCEED;
  return cli_usage_error(cli_bench_command.name,
                         "--fail-above wants a percentage like 1%% or 0.25%%, not '%s'",
                         request->limit_text);
}

static int parse(cli_bench_request *request, int argc, char **argv) {
  cli_parser parser;
  cli_parser_init(&parser, &cli_bench_command, argc, argv);
  int option;
  while ((option = cli_parser_next(&parser)) != CLI_OPTIONS_END)
    take_option(request, &parser, option);
  if (parser.status != CLI_PROCEED)
    return parser.status;
  request->words = parser.operands;
  request->word_count = parser.operand_count;
  request->is_command = parser.ended_options;
  int status = cli_parser_check(&parser);
  if (status == CLI_PROCEED && request->is_command && request->word_count == 0)
    status = cli_usage_error(cli_bench_command.name, "a command is missing after '--'");
  if (status == CLI_PROCEED && request->why && request->word_count > 0)
    status = cli_usage_error(cli_bench_command.name,
                             "--why runs a single benchmark, so no other names can be given");
  if (status == CLI_PROCEED)
    status = check_limit(request);
  return status == CLI_PROCEED ? choose_format(request) : status;
}

static int bench_main(int argc, char **argv) {
  cli_bench_request request = {.file = CLI_SUITE_FILE, .limit_text = "1%", .format = FORMAT_COUNT};
  request.output = cli_text("-");
  int status = parse(&request, argc, argv);
  if (status == CLI_PROCEED) {
    if (!request.baseline) /* next to the list; paths are relative to its folder */
      request.baseline = cli_text("%s", CLI_BASELINE_FILE);
    status = cli_bench_run(&request);
  }
  free(request.baseline);
  free(request.output);
  free(request.profiles);
  free(request.other);
  return status;
}
