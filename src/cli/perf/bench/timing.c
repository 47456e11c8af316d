#define _GNU_SOURCE /* O_CLOEXEC, O_DIRECTORY */

#include "cli/perf/bench/timing.h"

#include <errno.h>
#include <fcntl.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "cli/perf/bench/capture.h"
#include "cli/perf/progress.h"
#include "cli/perf/record/component.h"
#include "cli/perf/record/invoke.h"

enum { USUAL_PAIRS = 10, USUAL_SECONDS = 10 };

/* A build: the words that run it, the first one its executable. */
typedef struct build {
  int folder;         /* in which it runs; borrowed */
  struct stat status; /* of its module */
  cli_list words;
} build;

/* ---- Command lines ------------------------------------------------------- */

static void add_command(const cli_benchmark *benchmark, build *of) {
  char *executable = cli_executable_find(benchmark->command.items[0]);
  cli_list_add(&of->words, executable ? executable : cli_text("%s", benchmark->command.items[0]));
  cli_words_add(&of->words, benchmark->command.items + 1, benchmark->command.count - 1);
}

static bool prepare_invoke(const cli_benchmark *benchmark, const char *path, cli_list *arguments,
                           cli_failure *failure) {
  const cli_request request = {.failure = failure,
                               .module_path = path,
                               .invoke = cli_benchmark_text(&benchmark->invoke),
                               .args = benchmark->args.items,
                               .arg_count = benchmark->args.count};
  uint8_t *bytes;
  size_t size;
  if (!request.invoke)
    return true;
  if (!cli_file_read(path, &bytes, &size, failure))
    return false;
  bool done = cli_invoke_prepare(&request, bytes, size, arguments);
  free(bytes);
  return done;
}

static bool add_engine(const cli_benchmark *benchmark, const cli_engine *engine, const char *path,
                       bool is_component, build *of, cli_failure *failure) {
  static const cli_list none = {0};
  cli_list arguments = {0};
  bool done = prepare_invoke(benchmark, path, &arguments, failure);
  const cli_program program = {.module_path = path,
                               .invoke = cli_benchmark_text(&benchmark->invoke),
                               .invoke_arguments = &arguments,
                               .args = benchmark->args.items,
                               .arg_count = benchmark->invoke.count ? 0 : benchmark->args.count,
                               .engine_options = &none,
                               .dirs = &benchmark->dir,
                               .variables = &benchmark->env};
  if (done && is_component) {
    cli_list_add(&of->words, cli_text("%s", engine->executable));
    engine->host->add_component_words(engine, &program, &of->words);
  } else if (done) {
    cli_engine_plain_words(engine, &program, &of->words);
  }
  cli_list_clear(&arguments);
  return done;
}

/* The engine that can run the module, or NULL. */
static cli_engine *find_engine(const cli_benchmark *benchmark, const cli_timing_plan *plan,
                               cli_capability needed, cli_failure *failure) {
  const char *name = cli_benchmark_text(&benchmark->engine);
  name = name ? name : plan->engine;
  cli_engine *engine = cli_engine_find(name || !needed ? name : cli_engine_with(needed), failure);
  if (!engine || !needed || cli_engine_can(engine, needed))
    return engine;
  cli_fail(failure, NULL, "it needs the engine %s", cli_engine_with(needed));
  cli_engine_free(engine);
  return NULL;
}

static bool add_module(const cli_benchmark *benchmark, const cli_timing_plan *plan,
                       const char *path, build *of, cli_failure *failure) {
  bool is_component = cli_is_component(path);
  cli_capability needed = is_component                  ? CLI_RUNS_COMPONENTS
                          : benchmark->invoke.count > 0 ? CLI_INVOKES
                                                        : 0;
  cli_engine *engine = find_engine(benchmark, plan, needed, failure);
  bool done = engine && add_engine(benchmark, engine, path, is_component, of, failure);
  cli_engine_free(engine);
  return done;
}

/* ---- The two builds -------------------------------------------------------- */

enum { OTHER, OURS, SIDES };

/* Enters the build's folder and fills its words. Returns NULL or an error. */
static char *prepare(const cli_benchmark *benchmark, const cli_timing_plan *plan,
                     const char *module, build *of) {
  cli_failure failure = {0};
  if (fchdir(of->folder) != 0 || (module && stat(module, &of->status) != 0))
    return cli_text("%s: %s", module ? module : plan->other, strerror(errno));
  if (!module)
    add_command(benchmark, of);
  else if (!add_module(benchmark, plan, module, of, &failure))
    return cli_problem_take(&failure);
  return NULL;
}

static char *prepare_both(const cli_benchmark *benchmark, const cli_timing_plan *plan,
                          bool is_folder, build *builds) {
  const char *module = cli_benchmark_text(&benchmark->module);
  if (!is_folder && !module)
    return cli_text("a command is timed against a folder with another build, not a file");
  char *problem = prepare(benchmark, plan, is_folder ? module : plan->other, &builds[OTHER]);
  if (!problem)
    problem = prepare(benchmark, plan, module, &builds[OURS]);
  const struct stat *a = &builds[OTHER].status, *b = &builds[OURS].status;
  if (!problem && module && a->st_dev == b->st_dev && a->st_ino == b->st_ino)
    problem = cli_text("both builds are the same file");
  return problem;
}

/* ---- Pairs --------------------------------------------------------------------- */

typedef struct pairs {
  uint64_t times[SIDES][CLI_INTERVAL_MAX]; /* nanoseconds */
  uint32_t count;
} pairs;

static char *run(const cli_benchmark *benchmark, build *of, uint64_t *time) {
  cli_capture capture;
  cli_failure none = {0};
  if (fchdir(of->folder) != 0)
    return cli_text("%s", strerror(errno));
  if (!cli_capture_begin(&capture, cli_benchmark_text(&benchmark->input)))
    return cli_text("it could not be run: %s", strerror(errno));
  uint64_t start = cli_progress_now();
  int exit_code = wi_process_run(of->words.items[0], of->words.items, &capture.streams);
  *time = cli_progress_now() - start;
  return cli_capture_end(&capture, exit_code, &none);
}

/* Runs a pair; `first` is the side that runs first. */
static char *run_pair(const cli_benchmark *benchmark, build *builds, int first, uint64_t *times) {
  char *problem = run(benchmark, &builds[first], &times[first]);
  return problem ? problem : run(benchmark, &builds[!first], &times[!first]);
}

static bool is_enough(const cli_timing_plan *plan, uint32_t count, uint64_t start) {
  if (plan->pairs > 0)
    return count == plan->pairs;
  bool is_long = cli_progress_now() - start >= USUAL_SECONDS * UINT64_C(1000000000);
  return count == CLI_INTERVAL_MAX || (count >= USUAL_PAIRS && is_long);
}

static char *run_pairs(const cli_benchmark *benchmark, const cli_timing_plan *plan, build *builds,
                       pairs *all) {
  uint64_t start = cli_progress_now(), times[SIDES];
  char *problem = run_pair(benchmark, builds, OTHER, times); /* fills the caches */
  while (!problem && !is_enough(plan, all->count, start)) {
    problem = run_pair(benchmark, builds, (int)(all->count % SIDES), times);
    for (int side = 0; side < SIDES; side++)
      all->times[side][all->count] = times[side];
    all->count++;
  }
  return problem;
}

static char *summarize(pairs *all, cli_timing *timing) {
  double logarithms[CLI_INTERVAL_MAX];
  for (uint32_t i = 0; i < all->count; i++)
    logarithms[i] = log((double)all->times[OURS][i] / (double)all->times[OTHER][i]);
  timing->pairs = all->count;
  timing->before = cli_interval_median(all->times[OTHER], all->count);
  timing->after = cli_interval_median(all->times[OURS], all->count);
  return cli_interval_find(logarithms, all->count, &timing->change) ? NULL
                                                                    : cli_text("out of memory");
}

char *cli_benchmark_time(const cli_benchmark *benchmark, const cli_timing_plan *plan,
                         cli_timing *timing) {
  int home = open(".", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  int there = open(plan->other, O_RDONLY | O_CLOEXEC);
  struct stat status;
  bool is_known = home >= 0 && there >= 0 && fstat(there, &status) == 0;
  bool is_folder = is_known && S_ISDIR(status.st_mode);
  build builds[SIDES] = {[OTHER] = {.folder = is_folder ? there : home}, [OURS] = {.folder = home}};
  pairs all = {.count = 0};
  char *problem = is_known ? prepare_both(benchmark, plan, is_folder, builds)
                           : cli_text("%s: %s", plan->other, strerror(errno));
  if (!problem)
    problem = run_pairs(benchmark, plan, builds, &all);
  if (!problem)
    problem = summarize(&all, timing);
  if (fchdir(home) != 0 && !problem)
    problem = cli_text("%s", strerror(errno));
  for (int side = 0; side < SIDES; side++)
    cli_list_clear(&builds[side].words);
  close(there);
  close(home);
  return problem;
}
