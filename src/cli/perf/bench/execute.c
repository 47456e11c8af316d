#include "cli/perf/bench/execute.h"

#include <stdlib.h>
#include <sys/stat.h>

#include "cli/perf/bench/quiet.h"
#include "cli/perf/input/profiles.h"
#include "cli/perf/record/run.h"
#include "support/glob.h"

/* ---- The command line ------------------------------------------------------- */

static void add_each(cli_list *words, const char *option, const cli_list *values) {
  for (size_t i = 0; i < values->count; i++)
    cli_list_add(words, cli_text("--%s=%s", option, values->items[i]));
}

static void add_all(cli_list *words, const cli_list *values) {
  for (size_t i = 0; i < values->count; i++)
    cli_list_add(words, cli_text("%s", values->items[i]));
}

static void add_words(cli_list *words, const cli_benchmark *benchmark, const char *engine,
                      bool with_lines) {
  static const char *const always[] = {"record", "--deterministic", "--memory",
                                       "--clock=instructions"};
  for (size_t i = 0; i < sizeof always / sizeof *always; i++)
    cli_list_add(words, cli_text("%s", always[i]));
  if (with_lines)
    cli_list_add(words, cli_text("--lines"));
  add_each(words, "symbols", &benchmark->symbols);
  if (benchmark->command.count > 0) {
    add_each(words, "module", &benchmark->modules);
    cli_list_add(words, cli_text("--"));
    add_all(words, &benchmark->command);
    return;
  }
  const char *own = cli_benchmark_text(&benchmark->engine);
  if (own || engine)
    cli_list_add(words, cli_text("--engine=%s", own ? own : engine));
  add_each(words, "dir", &benchmark->dir);
  add_each(words, "env", &benchmark->env);
  add_each(words, "invoke", &benchmark->invoke);
  add_all(words, &benchmark->module);
  cli_list_add(words, cli_text("--"));
  add_all(words, &benchmark->args);
}

/* ---- A run ---------------------------------------------------------------------- */

/* A run of a benchmark, until its profiles become counts. */
typedef struct bench_run {
  const cli_benchmark *benchmark;
  const char *profile_folder; /* for copies of the profiles; NULL for none */
  cli_rows *rows;
  cli_list words;
} bench_run;

static uint64_t size_of(const char *path) {
  struct stat status;
  return stat(path, &status) == 0 ? (uint64_t)status.st_size : 0;
}

/* The path of a row's copy. The name may contain slashes. */
static char *copy_path(const char *folder, const char *row) {
  char *name = cli_text("%s", row);
  for (char *at = name; *at; at++)
    if (*at == '/' || (*at == '.' && at == name))
      *at = '_';
  char *path = cli_text("%s/%s.wperf", folder, name);
  free(name);
  return path;
}

static bool keep_copy(const bench_run *run, const char *row, wasm_perf_profile *profile) {
  if (!run->profile_folder)
    return true;
  char *path = copy_path(run->profile_folder, row);
  bool done = cli_profile_write(profile, NULL, NULL, path);
  free(path);
  return done;
}

static bool take_profile(void *user, wasm_perf_profile *profile) {
  const bench_run *run = user;
  cli_row *row = &run->rows->items[0];
  if (!keep_copy(run, row->name, profile))
    return false;
  const char *module = cli_benchmark_text(&run->benchmark->module);
  if (module)
    cli_counts_set(&row->counts, CLI_METRIC_MODULE_BYTES, size_of(module));
  return cli_counts_take(&row->counts, profile, module);
}

static bool is_listed(const cli_list *globs, const char *name) {
  bool is_any = globs->count == 0;
  for (size_t i = 0; i < globs->count && !is_any; i++)
    is_any = wi_glob_matches(globs->items[i], name);
  return is_any;
}

static bool take_measure(void *user, const char *name, const char *problem,
                         wasm_perf_profile *profile) {
  const bench_run *run = user;
  if (!is_listed(&run->benchmark->measures, name))
    return true;
  cli_row *row = cli_rows_add(run->rows, cli_text("%s/%s", run->benchmark->name, name));
  if (!row)
    return false;
  if (problem) {
    row->problem = cli_text("%s", problem);
    return true;
  }
  bool done = keep_copy(run, row->name, profile) && cli_counts_take(&row->counts, profile, NULL);
  row->counts.has[CLI_METRIC_PEAK_BYTES] = false; /* the peak is the whole program's */
  return done;
}

static int record(void *context) {
  bench_run *run = context;
  return cli_record_into(&run->words, take_profile, take_measure, run);
}

/* Runs the benchmark once. False if out of memory. */
static bool measure(const cli_benchmark *benchmark, const cli_execution *execution, bool with_lines,
                    cli_rows *rows) {
  bench_run run = {.benchmark = benchmark, .rows = rows};
  if (!cli_rows_add(rows, cli_text("%s", benchmark->name)))
    return false;
  if (!with_lines) /* of the first run, as counters of lines are not the program's */
    run.profile_folder = execution->profile_folder;
  add_words(&run.words, benchmark, execution->engine, with_lines);
  char *problem = cli_quietly(cli_benchmark_text(&benchmark->input), record, &run);
  cli_list_clear(&run.words);
  cli_rows_sort(rows);
  if (!problem && rows->items[0].counts.values[CLI_METRIC_INSTRUCTIONS] == 0)
    problem = cli_text("nothing was measured: no function of a module ran");
  rows->items[0].problem = problem;
  return true;
}

/* Runs the benchmark again: its counts must be the same, and are completed by its lines. */
static bool repeat(const cli_benchmark *benchmark, const cli_execution *execution, cli_rows *rows) {
  cli_rows second = {0};
  bool done = measure(benchmark, execution, true, &second);
  if (done)
    cli_rows_confirm(rows, &second);
  cli_rows_clear(&second);
  return done;
}

bool cli_benchmark_execute(const cli_benchmark *benchmark, const cli_execution *execution,
                           cli_rows *rows) {
  bool done = measure(benchmark, execution, false, rows) &&
              (rows->items[0].problem || repeat(benchmark, execution, rows));
  if (done && rows->items[0].problem)
    cli_rows_keep_first(rows);
  return done;
}
