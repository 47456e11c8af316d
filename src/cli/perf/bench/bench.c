/* wasm-perf bench: the command line and its execution. */
#define _GNU_SOURCE /* get_current_dir_name */

#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "cli/common/cleanup.h"
#include "cli/common/file.h"
#include "cli/common/message.h"
#include "cli/perf/bench/execute.h"
#include "cli/perf/bench/suite_exports.h"
#include "cli/perf/bench/writers.h"
#include "cli/perf/commands.h"
#include "cli/perf/common.h"
#include "cli/perf/record/engine.h"

/* Strings are borrowed from argv; paths are owned. */
typedef struct bench_request {
  const char *file;
  char *baseline;
  char *output; /* "-": stdout */
  char *profiles;
  char *other; /* the other build of --time */
  const char *engine;
  const char *limit_text;
  cli_percentage limit;
  const char *why;
  uint32_t pairs; /* 0 for the default */
  size_t format;  /* index of formats; FORMAT_COUNT to choose by the output's name */
  bool save;
  char **words; /* names of benchmarks, or the command to run */
  size_t word_count;
  bool is_command, is_module;
} bench_request;

/* ---- The table ------------------------------------------------------------------ */

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
  cli_bench_writer *write;
} formats[] = {
#define CLI_BENCH_FORMAT(name, extension, help) {#name, extension, help, cli_bench_write_##name},
#include "cli/perf/bench/bench_formats.def"
#undef CLI_BENCH_FORMAT
};

enum { FORMAT_COUNT = sizeof formats / sizeof *formats };

static bool format_choice(size_t index, cli_choice *choice) {
  if (index >= FORMAT_COUNT)
    return false;
  snprintf(choice->name, sizeof choice->name, "%s", formats[index].name);
  choice->help = formats[index].help;
  return true;
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
     "exit with 3 if a benchmark's instructions, allocations, peak memory or memory.grow grew by "
     "more than N % of the baseline; default: 1%"},
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
     "compare times instead of counts, of the modules without hooks, with another build: in the "
     "folder FILE, where the same list is run, or of one module, FILE. A difference never fails"},
    {OPTION_PAIRS, "pairs", CLI_NUMBER_UP_TO("N", CLI_INTERVAL_MIN, CLI_INTERVAL_MAX),
     "how often --time runs both builds; default: for 10 seconds, 10 to 100 times"},
    {0}};

static const cli_option_group bench_group = {NULL, bench_options};

const cli_command cli_bench_command = {
    .name = "wasm-perf bench",
    .summary = "count what benchmarks execute and compare with a baseline",
    .usages = (const char *const[]){"[OPTION]... [NAME]...", "[OPTION]... MODULE [ARGUMENT]...",
                                    "[OPTION]... -- COMMAND [ARGUMENT]...", NULL},
    .description =
        "Counts the instructions, calls, allocations and memory of benchmarks and compares them "
        "with a baseline in the repository. The counts are the same in each run, on each machine "
        "and in each engine: the host is fixed as by record --deterministic, and every benchmark "
        "runs twice. A benchmark whose runs differ is refused, with the name of the first function "
        "that differs.\n\nRuns the benchmarks that wasm-perf.toml lists, or the named ones among "
        "them; or one module or command.",
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
  char *folder = get_current_dir_name();
  char *absolute = cli_text("%s/%s", folder ? folder : ".", path);
  free(folder);
  return absolute;
}

static void replace(char **path, const char *value) {
  free(*path);
  *path = absolute_path(value);
}

static void take_option(bench_request *request, const cli_parser *parser, int option) {
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

static int choose_format(bench_request *request) {
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

static int check_limit(bench_request *request) {
  if (cli_parse_percentage(request->limit_text, &request->limit))
    return CLI_PROCEED;
  return cli_usage_error(cli_bench_command.name,
                         "--fail-above wants a percentage like 1%% or 0.25%%, not '%s'",
                         request->limit_text);
}

static int parse(bench_request *request, int argc, char **argv) {
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
  request->is_module =
      !request->is_command && request->word_count > 0 && cli_suite_is_module(request->words[0]);
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

/* ---- Choosing benchmarks ----------------------------------------------------------------- */

static bool is_wanted(const bench_request *request, const cli_benchmark *benchmark) {
  if (request->why)
    return strcmp(request->why, benchmark->name) == 0;
  if (request->is_command || request->is_module || request->word_count == 0)
    return true;
  for (size_t i = 0; i < request->word_count; i++)
    if (cli_benchmark_is(benchmark, request->words[i]))
      return true;
  return false;
}

static bool has_benchmark(const cli_suite *suite, const char *word) {
  for (uint32_t i = 0; i < suite->benchmarks_count; i++)
    if (cli_benchmark_is(&suite->benchmarks[i], word))
      return true;
  return false;
}

/* Whether each name on the command line is a benchmark. Prints an error if not. */
static bool check_names(const bench_request *request, const cli_suite *suite) {
  bool done = true;
  if (request->why && !cli_suite_find(suite, request->why)) {
    cli_error(request->why, "there is no such benchmark");
    done = false;
  }
  bool are_names = !request->is_command && !request->is_module;
  for (size_t i = 0; i < request->word_count && are_names; i++)
    if (!has_benchmark(suite, request->words[i])) {
      cli_error(request->words[i], "there is no such benchmark");
      done = false;
    }
  return done;
}

/* Whether --time can be used on the chosen benchmarks: a module is another build of only one. */
static bool check_other(const bench_request *request, const cli_suite *suite) {
  struct stat status;
  uint32_t count = 0;
  for (uint32_t i = 0; i < suite->benchmarks_count; i++)
    count += is_wanted(request, &suite->benchmarks[i]);
  if (!request->other || count == 1 ||
      (stat(request->other, &status) == 0 && S_ISDIR(status.st_mode)))
    return true;
  cli_error(request->other, "it is not a folder; name the one benchmark of which it is a build");
  return false;
}

static bool find_suite(const bench_request *request, cli_suite *suite) {
  bool done = request->is_command || request->is_module
                  ? cli_suite_add(suite, request->word_count, request->words, request->is_command)
                  : cli_suite_read(suite, request->file);
  if (done && suite->folder && chdir(suite->folder) != 0) {
    cli_error(suite->folder, "%s", strerror(errno));
    return false;
  }
  return done && cli_suite_expand(suite) && check_names(request, suite) &&
         check_other(request, suite);
}

/* Reads the baseline if it exists or is required. False if it cannot be read. */
static bool find_baseline(const bench_request *request, cli_baseline *baseline) {
  if (request->other)
    return true;
  if (access(request->baseline, F_OK) == 0)
    return cli_baseline_read(baseline, request->baseline);
  if (!request->save)
    cli_error(request->baseline, "there is no baseline to compare with; bench --save makes one");
  return request->save;
}

static bool make_folder(const char *path) {
  if (!path || mkdir(path, 0777) == 0 || errno == EEXIST)
    return true;
  cli_error(path, "%s", strerror(errno));
  return false;
}

/* ---- Running -------------------------------------------------------------------- */

static bool run_benchmark(const bench_request *request, const cli_benchmark *benchmark,
                          const cli_execution *execution, const cli_baseline *baseline,
                          cli_outcomes *outcomes) {
  cli_outcome *outcome = WI_ARRAY_PUSH(outcomes, items);
  if (!outcome)
    return false;
  *outcome =
      (cli_outcome){.name = benchmark->name,
                    .before = request->save ? NULL : cli_baseline_find(baseline, benchmark->name),
                    .growth = benchmark->growth.whole > 0 ? benchmark->growth : request->limit};
  const cli_timing_plan plan = {request->other, request->engine, request->pairs};
  outcome->problem = request->other ? cli_benchmark_time(benchmark, &plan, &outcome->timing)
                                    : cli_benchmark_execute(benchmark, execution, &outcome->counts);
  cli_outcome_judge(outcome);
  return true;
}

/* Adds an outcome for each benchmark that only the baseline has. */
static bool add_gone(const cli_suite *suite, const cli_baseline *baseline, cli_outcomes *outcomes) {
  for (uint32_t i = 0; i < baseline->saved_count; i++) {
    const cli_saved *saved = &baseline->saved[i];
    cli_outcome *outcome =
        cli_suite_find(suite, saved->name) ? NULL : WI_ARRAY_PUSH(outcomes, items);
    if (outcome)
      *outcome = (cli_outcome){.name = saved->name, .verdict = CLI_VERDICT_GONE, .before = saved};
  }
  return true;
}

static bool run_all(const bench_request *request, const cli_suite *suite,
                    const cli_baseline *baseline, cli_outcomes *outcomes) {
  if (!make_folder(request->profiles))
    return false;
  const cli_execution execution = {.profile_folder = request->profiles, .engine = request->engine};
  bool done = true;
  for (uint32_t i = 0; i < suite->benchmarks_count && done && wi_cleanup_noted_signal() == 0; i++)
    if (is_wanted(request, &suite->benchmarks[i]))
      done = run_benchmark(request, &suite->benchmarks[i], &execution, baseline, outcomes);
  bool is_whole = !request->save && !request->why && !request->other && request->word_count == 0;
  if (done && is_whole)
    done = add_gone(suite, baseline, outcomes);
  if (!done)
    cli_error(NULL, "out of memory");
  return done;
}

/* ---- Results -------------------------------------------------------------- */

static bool write_report(const bench_request *request, const cli_outcomes *outcomes) {
  enum { USUAL_WHY = 1, ALL_WHY = 10 };
  wi_file_output output;
  if (wi_file_output_open(&output, request->output)) {
    formats[request->format].write(outcomes, request->why ? ALL_WHY : USUAL_WHY, output.stream);
    if (wi_file_output_close(&output, !ferror(output.stream)))
      return true;
  }
  cli_message_unwritten("wasm-perf", wi_file_output_name(request->output));
  return false;
}

/* Saves the benchmarks that ran. If the whole list ran, other benchmarks are removed. */
static bool save(const bench_request *request, cli_baseline *baseline, cli_outcomes *outcomes) {
  if (request->word_count == 0)
    cli_baseline_clear(baseline);
  for (uint32_t i = 0; i < outcomes->items_count; i++)
    if (!cli_baseline_put(baseline, outcomes->items[i].name, &outcomes->items[i].counts)) {
      cli_error(NULL, "out of memory");
      return false;
    }
  return cli_baseline_write(baseline, request->baseline);
}

static int finish(const bench_request *request, cli_baseline *baseline, cli_outcomes *outcomes) {
  bool done = write_report(request, outcomes);
  int exit_code = done ? cli_outcomes_exit_code(outcomes) : CLI_EXIT_FAILURE;
  if (exit_code == CLI_EXIT_SUCCESS && request->save && !save(request, baseline, outcomes))
    exit_code = CLI_EXIT_FAILURE;
  else if (exit_code != CLI_EXIT_SUCCESS && request->save)
    cli_error(request->baseline, "not saved, as a benchmark failed");
  return exit_code;
}

static int run(const bench_request *request) {
  cli_suite suite = {0};
  cli_baseline baseline = {0};
  cli_outcomes outcomes = {0};
  int exit_code = CLI_EXIT_FAILURE;
  if (find_suite(request, &suite) && find_baseline(request, &baseline) &&
      run_all(request, &suite, &baseline, &outcomes))
    exit_code = finish(request, &baseline, &outcomes);
  cli_outcomes_clear(&outcomes);
  cli_baseline_clear(&baseline);
  cli_suite_clear(&suite);
  return exit_code;
}

static int bench_main(int argc, char **argv) {
  bench_request request = {.file = CLI_SUITE_FILE, .limit_text = "1%", .format = FORMAT_COUNT};
  request.output = cli_text("-");
  int status = parse(&request, argc, argv);
  if (status == CLI_PROCEED) {
    if (!request.baseline) /* next to the list; paths are relative to its folder */
      request.baseline = cli_text("%s", CLI_BASELINE_FILE);
    status = run(&request);
  }
  free(request.baseline);
  free(request.output);
  free(request.profiles);
  free(request.other);
  return status;
}
