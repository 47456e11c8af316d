#include "cli/perf/bench/bench.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include "cli/common/cleanup.h"
#include "cli/common/file.h"
#include "cli/common/message.h"
#include "cli/perf/bench/execute.h"
#include "cli/perf/bench/suite_exports.h"
#include "cli/perf/bench/writers.h"
#include "cli/perf/common.h"

/* ---- Choosing benchmarks ----------------------------------------------------------------- */

static bool has_benchmark(const cli_suite *suite, const char *word) {
  for (uint32_t i = 0; i < suite->benchmarks_count; i++)
    if (cli_name_is(suite->benchmarks[i].name, word))
      return true;
  return false;
}

/* Whether the word may be a measure in the benchmark, BENCHMARK/MEASURE. Only a run can tell. */
static bool may_measure(const cli_bench_request *request, const cli_suite *suite,
                        const cli_benchmark *benchmark, const char *word) {
  return !request->other && benchmark->command.count > 0 && !has_benchmark(suite, word) &&
         cli_name_is(word, benchmark->name);
}

/* Whether the whole list is meant, or the only benchmark there is. */
static bool wants_all(const cli_bench_request *request) {
  return !request->why && (request->is_command || request->is_module || request->word_count == 0);
}

/* The names of rows on the command line. */
static size_t name_count(const cli_bench_request *request) {
  return request->why ? 1 : wants_all(request) ? 0 : request->word_count;
}

static const char *name_at(const cli_bench_request *request, size_t index) {
  return request->why ? request->why : request->words[index];
}

/* Whether the user asked for the row: for it or for what contains it; with --why, only for it. */
static bool is_wanted_row(const cli_bench_request *request, const char *row) {
  bool is_wanted = wants_all(request);
  for (size_t i = 0; i < name_count(request) && !is_wanted; i++) {
    const char *name = name_at(request, i);
    is_wanted = request->why ? strcmp(row, name) == 0 : cli_name_is(row, name);
  }
  return is_wanted;
}

/* Whether the benchmark is run: it, or a measure that may be in it, is wanted. */
static bool is_wanted(const cli_bench_request *request, const cli_suite *suite,
                      const cli_benchmark *benchmark) {
  bool is_wanted = is_wanted_row(request, benchmark->name);
  for (size_t i = 0; i < name_count(request) && !is_wanted; i++)
    is_wanted = may_measure(request, suite, benchmark, name_at(request, i));
  return is_wanted;
}

static bool is_known(const cli_bench_request *request, const cli_suite *suite, const char *name) {
  bool is_known = request->why ? cli_suite_find(suite, name) != NULL : has_benchmark(suite, name);
  for (uint32_t i = 0; i < suite->benchmarks_count && !is_known; i++)
    is_known = may_measure(request, suite, &suite->benchmarks[i], name);
  return is_known;
}

static void refuse_name(const char *name, const cli_suite *suite) {
  enum { MOST = 10 };
  char *known = cli_text("%s", suite->benchmarks[0].name);
  for (uint32_t i = 1; i < suite->benchmarks_count && i <= MOST; i++) {
    char *more = cli_text("%s, %s", known, i < MOST ? suite->benchmarks[i].name : "...");
    free(known);
    known = more;
  }
  if (*name == '-')
    cli_error(name, "options come before the names of benchmarks");
  else
    cli_error(name, "no benchmark has this name; known: %s", known);
  free(known);
}

/* Whether each name on the command line may be a row. Prints an error if not. */
static bool check_names(const cli_bench_request *request, const cli_suite *suite) {
  bool done = true;
  for (size_t i = 0; i < name_count(request); i++)
    if (!is_known(request, suite, name_at(request, i))) {
      refuse_name(name_at(request, i), suite);
      done = false;
    }
  return done;
}

/* Whether --time can be used on the chosen benchmarks: a module is another build of only one. */
static bool check_other(const cli_bench_request *request, const cli_suite *suite) {
  struct stat status;
  uint32_t count = 0;
  for (uint32_t i = 0; i < suite->benchmarks_count; i++)
    count += is_wanted(request, suite, &suite->benchmarks[i]);
  if (!request->other || count == 1 ||
      (stat(request->other, &status) == 0 && S_ISDIR(status.st_mode)))
    return true;
  cli_error(request->other, "it is not a folder; name the one benchmark of which it is a build");
  return false;
}

static bool find_suite(const cli_bench_request *request, cli_suite *suite) {
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

/*
 * Reads the baseline if it exists or is required. If the whole list is saved, it is written anew,
 * whatever it contains. False if it cannot be read.
 */
static bool find_baseline(const cli_bench_request *request, cli_baseline *baseline) {
  if (request->other || (request->save && request->word_count == 0))
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

static cli_outcome *add_outcome(const cli_bench_request *request, const cli_benchmark *benchmark,
                                const char *name, const cli_baseline *baseline,
                                cli_outcomes *outcomes) {
  cli_outcome *outcome = WI_ARRAY_PUSH(outcomes, items);
  if (outcome)
    *outcome =
        (cli_outcome){.name = cli_text("%s", name),
                      .before = request->save ? NULL : cli_baseline_find(baseline, name),
                      .growth = benchmark->growth.whole > 0 ? benchmark->growth : request->limit};
  return outcome;
}

static bool time_benchmark(const cli_bench_request *request, const cli_benchmark *benchmark,
                           const cli_baseline *baseline, cli_outcomes *outcomes) {
  const cli_timing_plan plan = {request->other, request->engine, request->pairs};
  cli_outcome *outcome = add_outcome(request, benchmark, benchmark->name, baseline, outcomes);
  if (!outcome)
    return false;
  outcome->problem = cli_benchmark_time(benchmark, &plan, &outcome->timing);
  cli_outcome_judge(outcome);
  return true;
}

/* Why the row cannot be saved beside the others. NULL if it can. */
static char *row_problem(const cli_suite *suite, const cli_outcomes *outcomes, const char *name) {
  uint32_t count = outcomes->items_count;
  if (count >= CLI_MOST_BENCHMARKS)
    return cli_text("there are more than %u benchmarks and measures", CLI_MOST_BENCHMARKS);
  if (!cli_text_is_clean(name))
    return cli_text("its name is too long");
  if (cli_suite_find(suite, name) ||
      (count > 0 && strcmp(outcomes->items[count - 1].name, name) == 0))
    return cli_text("another benchmark or measure has this name, too");
  return NULL;
}

/* Moves the row to the outcomes if it is wanted. */
static bool take_row(const cli_bench_request *request, const cli_suite *suite,
                     const cli_benchmark *benchmark, cli_row *row, const cli_baseline *baseline,
                     cli_outcomes *outcomes) {
  bool is_whole = strcmp(row->name, benchmark->name) == 0;
  if (!is_wanted_row(request, row->name) && !(is_whole && row->problem))
    return true;
  char *problem = is_whole || row->problem ? NULL : row_problem(suite, outcomes, row->name);
  cli_outcome *outcome = add_outcome(request, benchmark, row->name, baseline, outcomes);
  if (!outcome) {
    free(problem);
    return false;
  }
  outcome->is_measure = !is_whole;
  outcome->problem = problem ? problem : row->problem;
  outcome->counts = row->counts;
  row->counts = (cli_counts){0};
  if (!problem)
    row->problem = NULL;
  cli_outcome_judge(outcome);
  return true;
}

static bool count_benchmark(const cli_bench_request *request, const cli_suite *suite,
                            const cli_benchmark *benchmark, const cli_baseline *baseline,
                            cli_outcomes *outcomes) {
  const cli_execution execution = {.profile_folder = request->profiles, .engine = request->engine};
  cli_rows rows = {0};
  bool done = cli_benchmark_execute(benchmark, &execution, &rows);
  for (uint32_t i = 0; i < rows.items_count && done; i++)
    done = take_row(request, suite, benchmark, &rows.items[i], baseline, outcomes);
  cli_rows_clear(&rows);
  return done;
}

/* Whether the row ran, or is in a benchmark that failed. */
static bool has_outcome(const cli_outcomes *outcomes, const char *name) {
  for (uint32_t i = 0; i < outcomes->items_count; i++) {
    const cli_outcome *outcome = &outcomes->items[i];
    if (strcmp(outcome->name, name) == 0 ||
        (outcome->verdict == CLI_VERDICT_FAILED && cli_name_is(name, outcome->name)))
      return true;
  }
  return false;
}

/* Whether the saved row belongs to what was asked for, but did not run. */
static bool is_gone(const cli_bench_request *request, const cli_suite *suite,
                    const cli_outcomes *outcomes, const char *name) {
  bool is_single = request->is_command || request->is_module;
  bool is_meant =
      is_single ? cli_name_is(name, suite->benchmarks[0].name) : is_wanted_row(request, name);
  return is_meant && !cli_suite_find(suite, name) && !has_outcome(outcomes, name);
}

/* Whether the saved row is a measure in a benchmark that is listed or saved. */
static bool is_measure(const cli_suite *suite, const cli_baseline *baseline, const char *name) {
  bool is_measure = false;
  for (uint32_t i = 0; i < suite->benchmarks_count && !is_measure; i++)
    is_measure = cli_name_is(name, suite->benchmarks[i].name);
  for (uint32_t i = 0; i < baseline->saved_count && !is_measure; i++)
    is_measure =
        strcmp(name, baseline->saved[i].name) != 0 && cli_name_is(name, baseline->saved[i].name);
  return is_measure;
}

/* Adds an outcome for each row that only the baseline has. */
static bool add_gone(const cli_bench_request *request, const cli_suite *suite,
                     const cli_baseline *baseline, cli_outcomes *outcomes) {
  for (uint32_t i = 0; i < baseline->saved_count; i++) {
    const cli_saved *saved = &baseline->saved[i];
    if (!is_gone(request, suite, outcomes, saved->name))
      continue;
    cli_outcome *outcome = WI_ARRAY_PUSH(outcomes, items);
    if (!outcome)
      return false;
    *outcome = (cli_outcome){.name = cli_text("%s", saved->name),
                             .is_measure = is_measure(suite, baseline, saved->name),
                             .verdict = CLI_VERDICT_GONE,
                             .before = saved};
  }
  return true;
}

static bool run_all(const cli_bench_request *request, const cli_suite *suite,
                    const cli_baseline *baseline, cli_outcomes *outcomes) {
  if (!make_folder(request->profiles))
    return false;
  bool done = true;
  for (uint32_t i = 0; i < suite->benchmarks_count && done && wi_cleanup_noted_signal() == 0; i++) {
    const cli_benchmark *benchmark = &suite->benchmarks[i];
    if (is_wanted(request, suite, benchmark))
      done = request->other ? time_benchmark(request, benchmark, baseline, outcomes)
                            : count_benchmark(request, suite, benchmark, baseline, outcomes);
  }
  if (done && !request->save && wi_cleanup_noted_signal() == 0)
    done = add_gone(request, suite, baseline, outcomes);
  if (!done)
    cli_error(NULL, "out of memory");
  return done;
}

/* ---- Results -------------------------------------------------------------- */

static cli_bench_writer *const writers[] = {
#define CLI_BENCH_FORMAT(name, extension, help) cli_bench_write_##name,
#include "cli/perf/bench/bench_formats.def"
#undef CLI_BENCH_FORMAT
};

static bool write_report(const cli_bench_request *request, const cli_outcomes *outcomes) {
  enum { USUAL_WHY = 1, ALL_WHY = 10 };
  wi_file_output output;
  if (wi_file_output_open(&output, request->output)) {
    writers[request->format](outcomes, request->why ? ALL_WHY : USUAL_WHY, output.stream);
    if (wi_file_output_close(&output, !ferror(output.stream)))
      return true;
  }
  cli_message_unwritten("wasm-perf", wi_file_output_name(request->output));
  return false;
}

/*
 * Locks the folder of the baseline until the descriptor is closed. -1 if it cannot: then a process
 * that saves at the same moment may lose a row.
 */
static int lock_folder(const char *baseline) {
  char *folder = cli_text("%.*s.", (int)(wi_path_name(baseline) - baseline), baseline);
  int lock = folder ? open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC) : -1;
  free(folder);
  if (lock >= 0)
    flock(lock, LOCK_EX);
  return lock;
}

/* Replaces the rows that ran in what the baseline is now. */
static bool update(const cli_bench_request *request, const cli_suite *suite, cli_baseline *baseline,
                   cli_outcomes *outcomes) {
  cli_baseline_clear(baseline);
  if (!find_baseline(request, baseline))
    return false;
  for (uint32_t i = baseline->saved_count; i-- > 0;)
    if (is_gone(request, suite, outcomes, baseline->saved[i].name))
      cli_baseline_remove(baseline, i);
  for (uint32_t i = 0; i < outcomes->items_count; i++)
    if (!cli_baseline_put(baseline, outcomes->items[i].name, &outcomes->items[i].counts)) {
      cli_error(NULL, "out of memory");
      return false;
    }
  return cli_baseline_write(baseline, request->baseline);
}

/*
 * Saves the benchmarks that ran. Unless the whole list ran, the others stay, also those that other
 * processes have saved meanwhile: go test runs packages in parallel.
 */
static bool save(const cli_bench_request *request, const cli_suite *suite, cli_baseline *baseline,
                 cli_outcomes *outcomes) {
  int lock = lock_folder(request->baseline);
  bool done = update(request, suite, baseline, outcomes);
  if (lock >= 0)
    close(lock);
  return done;
}

/* Whether there was something to compare, or nothing should be. Prints an error if not. */
static bool check_compared(const cli_bench_request *request, const cli_outcomes *outcomes) {
  bool is_any = request->save || request->other;
  for (uint32_t i = 0; i < outcomes->items_count; i++)
    is_any |= outcomes->items[i].verdict != CLI_VERDICT_NEW;
  if (!is_any)
    cli_error(request->baseline, "it has none of these benchmarks, so nothing was compared; "
                                 "bench --save adds them");
  return is_any;
}

/* Whether a row of that name ran, or failed to. */
static bool is_found(const cli_outcomes *outcomes, const char *name) {
  bool is_found = false;
  for (uint32_t i = 0; i < outcomes->items_count && !is_found; i++)
    is_found = cli_name_is(outcomes->items[i].name, name);
  return is_found || has_outcome(outcomes, name);
}

/* Whether each name on the command line is a row. Prints an error if not. */
static bool check_found(const cli_bench_request *request, const cli_outcomes *outcomes) {
  bool done = true;
  for (size_t i = 0; i < name_count(request) && wi_cleanup_noted_signal() == 0; i++)
    if (!is_found(outcomes, name_at(request, i))) {
      cli_error(name_at(request, i), "no benchmark and no measure has this name");
      done = false;
    }
  return done;
}

static int finish(const cli_bench_request *request, const cli_suite *suite, cli_baseline *baseline,
                  cli_outcomes *outcomes) {
  bool done = write_report(request, outcomes);
  done = check_found(request, outcomes) && check_compared(request, outcomes) && done;
  int exit_code = done ? cli_outcomes_exit_code(outcomes) : CLI_EXIT_FAILURE;
  if (exit_code == CLI_EXIT_SUCCESS && request->save && !save(request, suite, baseline, outcomes))
    exit_code = CLI_EXIT_FAILURE;
  else if (exit_code != CLI_EXIT_SUCCESS && request->save)
    cli_error(request->baseline, "not saved, as a benchmark failed");
  return exit_code;
}

int cli_bench_run(cli_bench_request *request) {
  request->is_module =
      !request->is_command && request->word_count > 0 && cli_suite_is_module(request->words[0]);
  cli_suite suite = {0};
  cli_baseline baseline = {0};
  cli_outcomes outcomes = {0};
  int exit_code = CLI_EXIT_FAILURE;
  if (find_suite(request, &suite) && find_baseline(request, &baseline) &&
      run_all(request, &suite, &baseline, &outcomes))
    exit_code = finish(request, &suite, &baseline, &outcomes);
  cli_outcomes_clear(&outcomes);
  cli_baseline_clear(&baseline);
  cli_suite_clear(&suite);
  return exit_code;
}
