#include "cli/perf/bench/bench.h"

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
#include "cli/perf/common.h"

/* ---- Choosing benchmarks ----------------------------------------------------------------- */

static bool is_wanted(const cli_bench_request *request, const cli_benchmark *benchmark) {
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
static bool check_names(const cli_bench_request *request, const cli_suite *suite) {
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
static bool check_other(const cli_bench_request *request, const cli_suite *suite) {
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

static bool run_benchmark(const cli_bench_request *request, const cli_benchmark *benchmark,
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

static bool run_all(const cli_bench_request *request, const cli_suite *suite,
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

/* Saves the benchmarks that ran. Unless the whole list ran, the others stay. */
static bool save(const cli_bench_request *request, cli_baseline *baseline, cli_outcomes *outcomes) {
  for (uint32_t i = 0; i < outcomes->items_count; i++)
    if (!cli_baseline_put(baseline, outcomes->items[i].name, &outcomes->items[i].counts)) {
      cli_error(NULL, "out of memory");
      return false;
    }
  return cli_baseline_write(baseline, request->baseline);
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

static int finish(const cli_bench_request *request, cli_baseline *baseline,
                  cli_outcomes *outcomes) {
  bool done = write_report(request, outcomes);
  done = check_compared(request, outcomes) && done;
  int exit_code = done ? cli_outcomes_exit_code(outcomes) : CLI_EXIT_FAILURE;
  if (exit_code == CLI_EXIT_SUCCESS && request->save && !save(request, baseline, outcomes))
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
    exit_code = finish(request, &baseline, &outcomes);
  cli_outcomes_clear(&outcomes);
  cli_baseline_clear(&baseline);
  cli_suite_clear(&suite);
  return exit_code;
}
