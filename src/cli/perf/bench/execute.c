#include "cli/perf/bench/execute.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "cli/perf/bench/capture.h"
#include "cli/perf/bench/processors.h"
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
  cli_failure failure;
} bench_run;

static uint64_t size_of(const char *path) {
  struct stat status;
  return stat(path, &status) == 0 ? (uint64_t)status.st_size : 0;
}

/* The path of a row's copy: each name has its own, also those with slashes or a dot in front. */
static char *copy_path(const char *folder, const char *row) {
  char *path = cli_text("%s/", folder);
  for (const char *at = row; *at; at++) {
    bool is_plain = *at != '/' && *at != '%' && (*at != '.' || at != row);
    char *longer = cli_text(is_plain ? "%s%c" : "%s%%%02X", path, *at);
    free(path);
    path = longer;
  }
  char *file = cli_text("%s.wperf", path);
  free(path);
  return file;
}

static bool keep_copy(bench_run *run, const char *row, wasm_perf_profile *profile) {
  if (!run->profile_folder)
    return true;
  char *path = copy_path(run->profile_folder, row);
  bool done = cli_profile_write(profile, NULL, NULL, path, &run->failure);
  free(path);
  return done;
}

static bool take_profile(void *user, wasm_perf_profile *profile) {
  bench_run *run = user;
  cli_row *row = &run->rows->items[0];
  if (!keep_copy(run, row->name, profile))
    return false;
  const char *module = cli_benchmark_text(&run->benchmark->module);
  if (module)
    cli_counts_set(&row->counts, CLI_METRIC_MODULE_BYTES, size_of(module));
  return cli_counts_take(&row->counts, profile, module, &run->failure);
}

static bool is_listed(const cli_list *globs, const char *name) {
  bool is_any = globs->count == 0;
  for (size_t i = 0; i < globs->count && !is_any; i++)
    is_any = wi_glob_matches(globs->items[i], name);
  return is_any;
}

static bool take_measure(void *user, const char *name, const char *problem,
                         wasm_perf_profile *profile) {
  bench_run *run = user;
  if (!is_listed(&run->benchmark->measures, name))
    return true;
  cli_row *row = cli_rows_add(run->rows, cli_text("%s/%s", run->benchmark->name, name));
  if (!row)
    return false;
  if (problem) {
    row->problem = cli_text("%s", problem);
    return true;
  }
  bool done = keep_copy(run, row->name, profile) &&
              cli_counts_take(&row->counts, profile, NULL, &run->failure);
  static const cli_metric of_program[] = {CLI_METRIC_PEAK_BYTES, CLI_METRIC_LIVE_BYTES,
                                          CLI_METRIC_LIVE_BLOCKS};
  for (size_t i = 0; i < sizeof of_program / sizeof *of_program; i++)
    row->counts.has[of_program[i]] = false;
  return done;
}

/* Records the benchmark. Returns NULL, or why that failed. */
static char *record(bench_run *run, const cli_list *words) {
  cli_capture capture;
  if (!cli_capture_begin(&capture, cli_benchmark_text(&run->benchmark->input)))
    return cli_text("it could not be run: %s", strerror(errno));
  cli_request request = {.failure = &run->failure,
                         .streams = &capture.streams,
                         .take = take_profile,
                         .take_measure = take_measure,
                         .take_user = run};
  return cli_capture_end(&capture, cli_record_run(&request, words), &run->failure);
}

/* A run of a benchmark: which of them, and whether it was on one of several processors. */
typedef struct run_plan {
  bool is_first;   /* its profiles are kept */
  bool with_lines; /* not in the first, as counters of lines are not the program's */
  bool is_restricted;
} run_plan;

/* Runs the benchmark once. False if out of memory. */
static bool measure(const cli_benchmark *benchmark, const cli_execution *execution, run_plan *plan,
                    cli_rows *rows) {
  bench_run run = {.benchmark = benchmark, .rows = rows};
  if (!cli_rows_add(rows, cli_text("%s", benchmark->name)))
    return false;
  if (plan->is_first)
    run.profile_folder = execution->profile_folder;
  cli_list words = {0};
  add_words(&words, benchmark, execution->engine, plan->with_lines);
  cli_processors *before = plan->is_restricted ? cli_processors_restrict() : NULL;
  plan->is_restricted = before != NULL;
  char *problem = record(&run, &words);
  cli_processors_restore(before);
  cli_list_clear(&words);
  cli_rows_sort(rows);
  if (!problem && rows->items[0].counts.values[CLI_METRIC_INSTRUCTIONS] == 0)
    problem = cli_text("nothing was measured: no function of a module ran");
  rows->items[0].problem = problem;
  return true;
}

/* Says so if the second run differs because it had one processor: a third, with all, is as the first. */
static bool find_source(const cli_benchmark *benchmark, const cli_execution *execution,
                        cli_row *row) {
  run_plan plan = {0};
  cli_rows third = {0};
  bool done = measure(benchmark, execution, &plan, &third);
  char *difference = done ? cli_counts_difference(&row->counts, &third.items[0].counts) : NULL;
  if (done && !difference && !third.items[0].problem) {
    char *problem =
        cli_text("%s; the second run had one processor instead of several", row->problem);
    free(row->problem);
    row->problem = problem;
  }
  free(difference);
  cli_rows_clear(&third);
  return done;
}

/* Runs the benchmark again: its counts must be the same, and are completed by its lines. */
static bool repeat(const cli_benchmark *benchmark, const cli_execution *execution, cli_rows *rows) {
  run_plan plan = {.with_lines = true, .is_restricted = true};
  cli_rows second = {0};
  bool done = measure(benchmark, execution, &plan, &second);
  bool ended = done && !second.items[0].problem;
  if (done)
    cli_rows_confirm(rows, &second);
  cli_rows_clear(&second);
  bool is_unexplained = ended && plan.is_restricted && rows->items[0].problem;
  return done && (!is_unexplained || find_source(benchmark, execution, &rows->items[0]));
}

bool cli_benchmark_execute(const cli_benchmark *benchmark, const cli_execution *execution,
                           cli_rows *rows) {
  run_plan plan = {.is_first = true};
  bool done = measure(benchmark, execution, &plan, rows) &&
              (rows->items[0].problem || repeat(benchmark, execution, rows));
  if (done && rows->items[0].problem)
    cli_rows_keep_first(rows);
  return done;
}
