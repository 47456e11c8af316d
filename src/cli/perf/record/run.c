/* wasm-perf record: runs a program, writes a report. */
#define _POSIX_C_SOURCE 200809L

#include "cli/perf/record/run.h"

#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "cli/common/file.h"
#include "cli/common/message.h"
#include "cli/common/session_names.h"
#include "cli/perf/commands.h"
#include "cli/perf/input/profiles.h"
#include "cli/perf/input/symbols.h"
#include "cli/perf/progress.h"
#include "cli/perf/record/budget.h"
#include "cli/perf/record/compare.h"
#include "cli/perf/record/component.h"
#include "cli/perf/record/invoke.h"
#include "cli/perf/record/output.h"
#include "cli/perf/record/prepare.h"
#include "cli/perf/record/private_folder.h"
#include "cli/perf/record/request_check.h"
#include "cli/perf/record/session.h"
#include "cli/perf/record/session_files.h"
#include "cli/perf/record/session_measures.h"
#include "cli/perf/record/watch.h"
#include "cli/perf/show/view.h"
#include "report/model/summary.h"
#include "report/model/units.h"
#include "symbols/complete.h"

/* ---- The temporary folder ------------------------------------------------ */

static char *profile_path(const cli_job *work) {
  return cli_text("%s/" CLI_PROFILE_NAME, work->folder.path);
}

static void job_clear(cli_job *work) {
  wi_temporary_remove(&work->folder);
  free(work->written_path);
  free(work->module);
  cli_list_clear(&work->arguments);
  cli_times_clear(&work->times);
  cli_engine_free(work->engine);
}

/* ---- The profile --------------------------------------------------------- */

/* Completes a profile with names and other data from the module. */
static bool complete(const cli_job *work, wasm_perf_profile *profile) {
  const char *path = work->request->module_path;
  const wi_ran_module module = {wi_path_name(path), work->module, work->module_size};
  wi_error error;
  if (!work->marker.is_embedded) /* an embedded runtime records it itself */
    profile->facts.added_import_count = work->marker.import_count;
  return wi_profile_complete(profile, &module, &error) ||
         cli_fail_module(work->request->failure, path, &error);
}

/*
 * The clock of linked hooks, which is the host's choice. They only count calls if times are from another run, or sampled:
 * a clock that they read at each call distorts short functions.
 */
static wasm_perf_clock clock_of_host(const cli_job *work) {
  wasm_perf_clock asked = work->request->options.clock;
  if (work->form == CLI_FORM_LINKED && work->request->times_path)
    return WASM_PERF_CLOCK_NONE;
  if (work->form != CLI_FORM_LINKED || !cli_engine_can(work->engine, CLI_SAMPLES_CALLS))
    return work->clock;
  if (asked != WASM_PERF_CLOCK_AUTO)
    return asked;
  bool samples = work->clock == WASM_PERF_CLOCK_WALL && !work->has_one_memory;
  return samples ? WASM_PERF_CLOCK_SAMPLED : work->clock;
}

/* Reads the profile and the samples that js/node/linked_samples.mjs wrote beside it. NULL on failure. */
static wasm_perf_profile *read_sampled(const cli_job *work, const char *path) {
  cli_list paths = {0};
  char *thread =
      cli_text("%.*s" CLI_SESSION_THREAD, (int)(strlen(path) - strlen(CLI_SESSION_PART)), path);
  cli_list_add(&paths, cli_text("%s", path));
  if (access(thread, F_OK) == 0)
    cli_list_add(&paths, cli_text("%s", thread));
  wasm_perf_profile *profile = cli_session_join(&paths, NULL, false, work->request->failure);
  cli_list_clear(&paths);
  free(thread);
  return profile;
}

/* Reads the file that the run left. NULL on failure. */
static wasm_perf_profile *read_file(const cli_job *work, const char *path) {
  if (work->request->sample && cli_engine_can(work->engine, CLI_SAMPLES_TO_FILE))
    return cli_times_profile(path, work->request->module_path, work->module, work->module_size,
                             work->request->failure);
  if (work->form == CLI_FORM_LINKED && clock_of_host(work) == WASM_PERF_CLOCK_SAMPLED)
    return read_sampled(work, path);
  return cli_profile_read(path, work->request->failure);
}

static void explain_no_profile(const cli_job *work, int exit_code) {
  bool is_stopped = exit_code > CLI_EXIT_SIGNAL_BASE && wi_cleanup_noted_signal() > 0;
  char *why = NULL;
  if (is_stopped && !cli_engine_can(work->engine, CLI_ANSWERS))
    why = cli_text("; %s saves none if the program is stopped, --engine %s does",
                   work->engine->host->name, cli_engine_with(CLI_ANSWERS));
  else if (exit_code == CLI_EXIT_SIGNAL_BASE + SIGABRT && work->engine->host->more_stack)
    why = cli_text(" because it trapped; if its call stack was exhausted, %s (bytes) enlarges it",
                   work->engine->host->more_stack);
  else if (!is_stopped && !cli_exports_start(work->module, work->module_size))
    why = cli_text(": it does not export _start; --engine %s supports --invoke",
                   cli_engine_with(CLI_INVOKES));
  cli_fail(work->request->failure, work->request->module_path,
           "the program ended without leaving a profile%s", why ? why : "");
  free(why);
}

static wasm_perf_profile *read_profile(const cli_job *work, int exit_code) {
  char *path = profile_path(work);
  wasm_perf_profile *profile = NULL;
  if (access(path, F_OK) == 0)
    profile = read_file(work, path);
  else if (!cli_session_tell_signal(work->request->module_path) &&
           exit_code != CLI_EXIT_FAILURE) /* otherwise the engine printed why it could not run it */
    explain_no_profile(work, exit_code);
  free(path);
  if (!profile || complete(work, profile))
    return profile;
  wasm_perf_profile_free(profile);
  return NULL;
}

/* ---- Running ----------------------------------------------------------- */

/*
 * Warns before the run if the user asked for a clock that makes the run several times longer. Otherwise
 * the report warns if it matters.
 */
static void warn_all_hooked(const cli_job *work) {
  const wi_marker *marker = &work->marker;
  bool is_asked = work->request->options.clock == WASM_PERF_CLOCK_WALL;
  if (is_asked && clock_of_host(work) == WASM_PERF_CLOCK_WALL && marker->function_count > 1 &&
      marker->instrumented_count == marker->function_count)
    cli_message("wasm-perf: %s: warning: " WI_SUMMARY_ALL_HOOKED, work->request->module_path,
                wi_format_count(marker->function_count).text);
}

/* The program and its environment. */
static cli_program program_of(const cli_job *work) {
  const cli_request *request = work->request;
  return (cli_program){.module_path =
                           work->written_path ? work->written_path : request->module_path,
                       .marker = &work->marker,
                       .clock = work->clock,
                       .sample = request->sample,
                       .clock_of_host = clock_of_host(work),
                       .invoke = request->invoke,
                       .invoke_arguments = &work->arguments,
                       .args = request->args,
                       .arg_count = request->invoke ? 0 : request->arg_count,
                       .engine_options = &request->engine_options,
                       .dirs = &request->dirs,
                       .variables = &request->variables,
                       .node_limit = request->node_limit,
                       .folds_recursion = request->options.recursion == WASM_PERF_RECURSION_FOLD,
                       .folder = work->folder.path,
                       .file_name = work->form == CLI_FORM_FILE ? CLI_PROFILE_NAME : NULL,
                       .streams = request->streams};
}

/* Whether functions have indices of a module; a profile of several modules numbers them itself. */
static bool has_indices(const cli_job *work, const wasm_perf_profile *profile) {
  return !work->request->command_words || profile->facts.module;
}

/* Warns if a session found no guest. For a single module, instrumenting has warned. */
static void warn_no_guest(const cli_job *work, const wasm_perf_profile *profile) {
  bool is_session = work->request->command_words || work->form == CLI_FORM_SESSION;
  if (is_session && work->request->options.guest != WI_GUEST_OFF &&
      (profile->facts.first_guest == 0 ||
       wasm_perf_profile_kind(profile, (uint32_t)profile->facts.first_guest) !=
           WASM_PERF_KIND_WASM))
    cli_message("wasm-perf: warning: no guest found: no module that ran is CPython 3.13 or newer");
}

static void warn_no_calls(const cli_job *work, const wasm_perf_profile *profile) {
  if (work->request->options.measure_calls && profile->calls.measures == 0)
    cli_message("wasm-perf: warning: no calls were measured: none of the functions was called, or "
                "none has such a name");
}

/*
 * Writes the profile, which may be NULL, and frees it. Returns our exit code, given the program's;
 * -1: it could not be run.
 */
static int finish_output(const cli_request *request, wasm_perf_profile *profile, bool is_complete,
                         int exit_code) {
  bool written = profile && cli_output_write(request, profile) && is_complete;
  bool has_coverage = written && request->options.count_branches && !request->take;
  int judged = has_coverage ? cli_coverage_judge(&request->coverage, profile) : CLI_EXIT_SUCCESS;
  wasm_perf_profile_free(profile);
  if (exit_code < 0 || (!written && exit_code == 0))
    return CLI_EXIT_FAILURE;
  return exit_code != 0 ? exit_code : judged;
}

/* Completes the profile, which may be NULL, writes and frees it. Returns our exit code. */
static int finish(const cli_job *work, wasm_perf_profile *profile, int exit_code) {
  bool timed = profile && cli_times_attribute(&work->times, profile, has_indices(work, profile),
                                              work->request->failure);
  if (profile && work->request->sample && work->form == CLI_FORM_SESSION)
    timed = complete(work, profile) && timed;
  if (profile) {
    cli_progress_print("Ran for", work->start, profile->facts.run_time, profile);
    warn_no_guest(work, profile);
    warn_no_calls(work, profile);
  }
  if (profile && !work->request->command_words)
    cli_symbols_try(profile, work->request->module_path); /* source locations and lines */
  return finish_output(work->request, profile, timed, exit_code);
}

static bool write_snapshot(void *user, wasm_perf_profile *profile, const char *output) {
  const cli_job *work = user;
  return cli_output_write_to(work->request, profile, output, NULL); /* the run goes on */
}

/* Runs the program. If it is stopped, js/node/node_wasi.mjs still saves its profile. */
static int run_program(cli_job *work) {
  const cli_program program = program_of(work);
  char *output = cli_output_path(work->request);
  char *note = cli_text("%s/" CLI_SESSION_STOP, work->folder.path);
  wi_cleanup_note_signals(note);
  int exit_code = -1;
  warn_all_hooked(work);
  char *warning = cli_engine_can(work->engine, CLI_ANSWERS)
                      ? NULL
                      : cli_text("%s saves no profile if it is stopped, --engine %s does",
                                 work->engine->host->name, cli_engine_with(CLI_ANSWERS));
  if (cli_watch_begin(work->request, work->folder.path, warning, output, write_snapshot, work)) {
    exit_code = cli_engine_run(work->engine, &program, work->request->failure);
    cli_watch_end();
  }
  wi_cleanup_note_signals(NULL);
  free(warning);
  free(note);
  free(output);
  return exit_code;
}

/* Notes when a profile was taken, where the engine has not. */
static void set_date(wasm_perf_profile *profile) {
  char seconds[sizeof "2026-01-01T00:00:00"], date[sizeof seconds + sizeof ".000Z"];
  struct timespec now;
  struct tm utc;
  if (profile->facts.date || timespec_get(&now, TIME_UTC) != TIME_UTC ||
      !gmtime_r(&now.tv_sec, &utc) ||
      strftime(seconds, sizeof seconds, "%Y-%m-%dT%H:%M:%S", &utc) == 0)
    return;
  int size = snprintf(date, sizeof date, "%s.%03ldZ", seconds, now.tv_nsec / 1000000 % 1000);
  wasm_perf_profile_set_text(profile, WASM_PERF_FACT_date, date, (size_t)size);
}

static int run_and_report(cli_job *work) {
  uint64_t start = cli_progress_now();
  int exit_code = run_program(work);
  uint64_t run_time = cli_progress_now() - start;
  wasm_perf_profile *profile = exit_code < 0 ? NULL : read_profile(work, exit_code);
  if (profile) {
    profile->facts.run_time = run_time;
    set_date(profile);
  }
  return finish(work, profile, exit_code);
}

/* Tells the user that the program runs more than once; before the progress line, which it would end. */
static void announce_repeats(const cli_request *request) {
  if (request->budget.whole > 0 || request->compare)
    cli_message("wasm-perf: %s runs the program many times, for about %s at most; only the last "
                "run prints",
                request->budget.whole > 0 ? "--budget" : "--compare",
                request->budget.whole > 0 ? "three minutes" : "a minute");
}

/* Like run_and_report, for a command whose modules are instrumented when it loads them. */
static int run_command(cli_job *work, wasm_perf_clock clock, char *const *words) {
  wasm_perf_profile *profile = NULL;
  const cli_request *request = work->request;
  const char *folder = work->folder.path, *share_folder = work->engine->share_folder;
  char *output = cli_output_path(request);
  int exit_code = -1;
  announce_repeats(request);
  if (cli_watch_begin(request, folder, NULL, output, write_snapshot, work)) {
    exit_code = (request->budget.whole > 0 ? cli_budget_run
                 : request->compare
                     ? cli_compare_run
                     : cli_session_run)(request, clock, words, folder, share_folder, &profile);
    cli_watch_end();
  }
  free(output);
  bool is_measured =
      exit_code < 0 || !request->take_measure ||
      cli_session_measures(folder, request->take_measure, request->take_user, request->failure);
  int result = finish(work, profile, exit_code);
  return result == CLI_EXIT_SUCCESS && !is_measured ? CLI_EXIT_FAILURE : result;
}

/* Runs a module in a session: the host reads its profile. */
static int run_session(cli_job *work) {
  bool is_instrumented = work->marker.is_embedded;
  cli_program program = program_of(work);
  program.file_name = is_instrumented ? "written" : NULL; /* ignored by the session */
  cli_list words = {0};
  cli_engine_plain_words(work->engine, &program, &words);
  wasm_perf_clock clock = is_instrumented ? work->clock : cli_job_clock(work);
  int exit_code = run_command(work, clock, words.items);
  cli_list_clear(&words);
  return exit_code;
}

static int run_component(const cli_job *work) {
  wasm_perf_profile *profile;
  int exit_code = cli_component_run(work->request, work->engine, work->folder.path, &profile);
  bool timed = profile && cli_times_attribute(&work->times, profile, false, work->request->failure);
  return finish_output(work->request, profile, timed, exit_code);
}

/* Whether the program also runs without hooks, so that the given module must have none. */
static bool runs_plain(const cli_request *request) {
  return request->budget.whole > 0 || request->compare;
}

/* The option that needs an engine with CLI_ANSWERS, or NULL. */
static const char *watch_option(const cli_request *request) {
  return request->every > 0      ? "--every"
         : request->duration > 0 ? "--duration"
         : request->listen       ? "--listen"
                                 : NULL;
}

/* Whether the host can be fixed, which the embedded runtime does. */
static bool can_be_fixed(const cli_job *work) {
  if (work->request->command_words)
    return true;
  bool is_ours = work->written_path || !work->marker.is_embedded;
  return is_ours && work->form != CLI_FORM_LINKED;
}

/* Whether the options can be used with this run. */
static bool check(const cli_job *work, bool is_component) {
  const cli_request *request = work->request;
  cli_failure *failure = request->failure;
  const char *path = request->module_path;
  bool is_session = request->command_words || (!is_component && work->form == CLI_FORM_SESSION);
  const char *plain = request->budget.whole > 0 ? "--budget" : "--compare";
  if (runs_plain(request) && (!is_session || work->marker.is_embedded))
    return cli_fail(failure, path,
                    "%s needs Node.js 22 or newer, a clock other than wall, and a module without "
                    "hooks that is not a component",
                    plain);
  if (request->invoke && !cli_engine_can(work->engine, CLI_INVOKES))
    return cli_fail(failure, path, "--invoke needs --engine %s and a core module",
                    cli_engine_with(CLI_INVOKES));
  if (request->no_inlining && !cli_engine_can(work->engine, CLI_SAMPLES_CALLS))
    return cli_fail(failure, path, "--no-inlining needs --engine %s",
                    cli_engine_with(CLI_SAMPLES_CALLS));
  if (request->options.deterministic && is_component)
    return cli_fail(failure, path,
                    "components have no fixed host, which bench and --deterministic need: build a "
                    "core module for WASI preview 1");
  if (request->options.deterministic && !can_be_fixed(work))
    return cli_fail(failure, path,
                    "--deterministic needs a WASI command or an export of a module, without hooks");
  if (watch_option(request) && !cli_engine_can(work->engine, CLI_ANSWERS))
    return cli_fail(
        failure, path,
        "%s needs --engine %s and a core module: %s saves a profile only when the program ends",
        watch_option(request), cli_engine_with(CLI_ANSWERS), work->engine->host->name);
  return true;
}

static int execute_job(cli_job *work, bool is_component) {
  const cli_request *request = work->request;
  bool is_module = !is_component && !request->command_words;
  const char *times_path = request->times_path;
  if ((times_path && !cli_times_read(&work->times, times_path, request->failure)) ||
      !cli_output_check(request) ||
      !cli_private_folder(&work->folder, &work->request->dirs, request->failure) ||
      (is_module && !cli_job_prepare(work)) || !check(work, is_component))
    return CLI_EXIT_FAILURE;
  if (is_component)
    return run_component(work);
  if (request->command_words)
    return run_command(work, cli_job_clock(work), request->command_words);
  return work->form == CLI_FORM_SESSION ? run_session(work) : run_and_report(work);
}

/* The engine's name, or NULL for any. */
static const char *engine_name(const cli_request *request, bool is_component) {
  if (request->command_words)
    return cli_engine_with(CLI_HOLDS_SESSION);
  return is_component && !request->engine ? cli_engine_with(CLI_RUNS_COMPONENTS) : request->engine;
}

static int execute(const cli_request *request) {
  cli_job work = {.request = request, .start = cli_progress_now()};
  bool is_component = !request->command_words && cli_is_component(request->module_path);
  work.engine = cli_engine_find(engine_name(request, is_component), request->failure);
  int exit_code = work.engine ? execute_job(&work, is_component) : CLI_EXIT_FAILURE;
  job_clear(&work);
  return exit_code;
}

/* Fills the request from the command line and executes it. */
static int parse_and_execute(cli_request *request, int argc, char **argv) {
  cli_watch_listen();
  int status = cli_request_parse(request, argc, argv);
  if (status == CLI_PROCEED)
    status = cli_request_check(request);
  if (status == CLI_PROCEED)
    status = execute(request);
  cli_request_clear(request);
  return status;
}

int cli_record_main(int argc, char **argv) {
  cli_failure failure = {0};
  cli_request request = {.failure = &failure};
  int exit_code = parse_and_execute(&request, argc, argv);
  cli_failure_print(&failure);
  return exit_code;
}

int cli_record_run(cli_request *request, const cli_list *words) {
  char **argv = calloc(words->count + 1, sizeof *argv); /* which the parser sorts */
  if (!argv)
    return cli_fail_memory(request->failure), CLI_EXIT_FAILURE;
  memcpy(argv, words->items, words->count * sizeof *argv);
  int exit_code = parse_and_execute(request, (int)words->count, argv);
  free(argv);
  return exit_code;
}
