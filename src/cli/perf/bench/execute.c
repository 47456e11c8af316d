#include "cli/perf/bench/execute.h"

#include <stdlib.h>
#include <sys/stat.h>

#include "cli/perf/bench/quiet.h"
#include "cli/perf/input/profiles.h"
#include "cli/perf/record/run.h"

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

/* A run of a benchmark, until its profile becomes counts. */
typedef struct bench_run {
  const cli_benchmark *benchmark;
  const char *profile_path; /* of a copy of the profile; NULL for none */
  cli_counts *counts;
  cli_list words;
} bench_run;

static uint64_t size_of(const char *path) {
  struct stat status;
  return stat(path, &status) == 0 ? (uint64_t)status.st_size : 0;
}

static bool take_profile(void *user, wasm_perf_profile *profile) {
  const bench_run *run = user;
  if (run->profile_path && !cli_profile_write(profile, NULL, NULL, run->profile_path))
    return false;
  const char *module = cli_benchmark_text(&run->benchmark->module);
  if (module)
    cli_counts_set(run->counts, CLI_METRIC_MODULE_BYTES, size_of(module));
  return cli_counts_take(run->counts, profile, module);
}

static int record(void *context) {
  bench_run *run = context;
  return cli_record_into(&run->words, take_profile, NULL, run);
}

/* Runs the benchmark once. Returns NULL or why its counts are not known. */
static char *measure(const cli_benchmark *benchmark, const cli_execution *execution,
                     bool with_lines, const char *profile_path, cli_counts *counts) {
  bench_run run = {.benchmark = benchmark, .profile_path = profile_path, .counts = counts};
  add_words(&run.words, benchmark, execution->engine, with_lines);
  char *problem = cli_quietly(cli_benchmark_text(&benchmark->input), record, &run);
  cli_list_clear(&run.words);
  if (!problem && counts->values[CLI_METRIC_INSTRUCTIONS] == 0)
    problem = cli_text("nothing was measured: no function of a module ran");
  return problem;
}

/* The path of the profile to keep, or NULL. The name of a benchmark may contain slashes. */
static char *profile_path(const cli_benchmark *benchmark, const char *folder) {
  if (!folder)
    return NULL;
  char *name = cli_text("%s", benchmark->name);
  for (char *at = name; *at; at++)
    if (*at == '/' || (*at == '.' && at == name))
      *at = '_';
  char *path = cli_text("%s/%s.wperf", folder, name);
  free(name);
  return path;
}

/* Runs the benchmark again: its counts must be the same, and are completed by its lines. */
static char *repeat(const cli_benchmark *benchmark, const cli_execution *execution,
                    cli_counts *counts) {
  cli_counts second = {0};
  char *problem = measure(benchmark, execution, true, NULL, &second);
  if (!problem)
    problem = cli_counts_difference(counts, &second);
  if (!problem)
    cli_counts_complete(counts, &second);
  cli_counts_clear(&second);
  return problem;
}

char *cli_benchmark_execute(const cli_benchmark *benchmark, const cli_execution *execution,
                            cli_counts *counts) {
  char *path = profile_path(benchmark, execution->profile_folder);
  char *problem = measure(benchmark, execution, false, path, counts);
  free(path);
  return problem ? problem : repeat(benchmark, execution, counts);
}
