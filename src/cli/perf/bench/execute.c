#include "cli/perf/bench/execute.h"

#include <stdlib.h>
#include <sys/stat.h>

#include "cli/perf/bench/quiet.h"
#include "cli/perf/input/profiles.h"
#include "cli/perf/input/symbols.h"

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
                      bool with_lines, const char *output) {
  static const char *const always[] = {"wasm-perf", "record", "--deterministic", "--memory",
                                       "--clock=instructions"};
  for (size_t i = 0; i < sizeof always / sizeof *always; i++)
    cli_list_add(words, cli_text("%s", always[i]));
  if (with_lines)
    cli_list_add(words, cli_text("--lines"));
  cli_list_add(words, cli_text("--output=%s", output));
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

/* Runs the benchmark once and writes its profile to the file. Returns NULL or an error. */
static char *run(const cli_benchmark *benchmark, const char *engine, bool with_lines,
                 const char *output) {
  cli_list words = {0};
  add_words(&words, benchmark, engine, with_lines, output);
  char *problem =
      cli_quiet_run("/proc/self/exe", words.items, cli_benchmark_text(&benchmark->input));
  cli_list_clear(&words);
  return problem;
}

/* ---- Counts -------------------------------------------------------------- */

static uint64_t size_of(const char *path) {
  struct stat status;
  return path && stat(path, &status) == 0 ? (uint64_t)status.st_size : 0;
}

static char *take_counts(const cli_benchmark *benchmark, const char *path, bool with_lines,
                         cli_counts *counts) {
  const char *module = cli_benchmark_text(&benchmark->module);
  wasm_perf_profile *profile = cli_profile_read(path);
  if (!profile)
    return cli_text("it left no profile");
  if (with_lines && module)
    cli_symbols_try(profile, module);
  bool done = cli_counts_take(counts, profile);
  wasm_perf_profile_free(profile);
  counts->values[CLI_METRIC_MODULE_BYTES] = size_of(module);
  if (!done)
    return cli_text("out of memory");
  return counts->values[CLI_METRIC_INSTRUCTIONS] > 0
             ? NULL
             : cli_text("nothing was measured: no function of a module ran");
}

static char *measure(const cli_benchmark *benchmark, const cli_execution *execution,
                     bool with_lines, const char *output, cli_counts *counts) {
  char *problem = run(benchmark, execution->engine, with_lines, output);
  return problem ? problem : take_counts(benchmark, output, with_lines, counts);
}

/* The path for the first run's profile. The name of a benchmark may contain slashes. */
static char *profile_path(const cli_benchmark *benchmark, const cli_execution *execution) {
  if (!execution->profile_folder)
    return cli_text("%s/first.wperf", execution->folder);
  char *name = cli_text("%s", benchmark->name);
  for (char *at = name; *at; at++)
    if (*at == '/' || (*at == '.' && at == name))
      *at = '_';
  char *path = cli_text("%s/%s.wperf", execution->profile_folder, name);
  free(name);
  return path;
}

static char *check_repetition(const cli_benchmark *benchmark, const cli_execution *execution,
                              const cli_counts *counts) {
  char *path = cli_text("%s/second.wperf", execution->folder);
  cli_counts second = {0};
  char *problem = measure(benchmark, execution, false, path, &second);
  if (!problem)
    problem = cli_counts_difference(counts, &second);
  cli_counts_clear(&second);
  free(path);
  return problem;
}

static char *add_lines(const cli_benchmark *benchmark, const cli_execution *execution,
                       cli_counts *counts) {
  char *path = cli_text("%s/lines.wperf", execution->folder);
  cli_counts lines = {0};
  char *problem = measure(benchmark, execution, true, path, &lines);
  if (!problem)
    cli_counts_move_lines(counts, &lines);
  cli_counts_clear(&lines);
  free(path);
  return problem;
}

char *cli_benchmark_execute(const cli_benchmark *benchmark, const cli_execution *execution,
                            cli_counts *counts) {
  char *path = profile_path(benchmark, execution);
  char *problem = measure(benchmark, execution, false, path, counts);
  free(path);
  if (!problem)
    problem = check_repetition(benchmark, execution, counts);
  if (!problem && execution->with_lines)
    problem = add_lines(benchmark, execution, counts);
  return problem;
}
