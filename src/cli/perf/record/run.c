/* wasm-perf run, sample and record: a module in, a profile or a report out. */
#define _POSIX_C_SOURCE 200809L

#include "cli/common/cleanup.h"
#include "cli/common/file.h"
#include "cli/common/message.h"
#include "cli/common/session_names.h"
#include "cli/perf/input/profiles.h"
#include "cli/perf/input/symbols.h"
#include "cli/perf/input/times.h"
#include "cli/perf/progress.h"
#include "cli/perf/record/budget.h"
#include "cli/perf/record/compare.h"
#include "cli/perf/record/component.h"
#include "cli/perf/record/invoke.h"
#include "cli/perf/record/name_module.h"
#include "cli/perf/record/output.h"
#include "cli/perf/record/private_folder.h"
#include "cli/perf/record/request.h"
#include "cli/perf/record/session.h"
#include "cli/perf/record/watch.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "cli/perf/record/run.h"
#include "cli/perf/show/view.h"
#include "symbols/complete.h"

/* How the profile of a module comes about. */
typedef enum form {
  FORM_LINKED,  /* hooks as imports, the runtime beside the module; or no hooks, but samples */
  FORM_SESSION, /* the runtime inside; the JavaScript host reads the profile, and instruments */
  FORM_FILE     /* the runtime inside; the module writes the profile */
} form;

/* What one run holds; cleared by job_clear. */
typedef struct job {
  const cli_request *request;
  cli_engine *engine;
  form form;
  uint8_t *module; /* as it runs: instrumented */
  size_t module_size;
  wi_marker marker;
  bool has_warned;         /* of what there is to say of the module */
  uint64_t start;          /* as cli_progress_now has it */
  cli_list arguments;      /* of the function that is called */
  cli_times times;         /* of another run, where they were asked for */
  wi_temporary folder;     /* private, for module and profile */
  char *instrumented_path; /* in the folder; NULL: the module runs from where it is */
} job;

/* ---- The temporary folder ------------------------------------------------ */

static char *profile_path(const job *work) {
  return cli_text("%s/" CLI_PROFILE_NAME, work->folder.path);
}

static void job_clear(job *work) {
  wi_temporary_remove(&work->folder);
  free(work->instrumented_path);
  free(work->module);
  cli_list_clear(&work->arguments);
  cli_times_clear(&work->times);
  cli_engine_free(work->engine);
}

/* ---- The module ---------------------------------------------------------- */

/* The clock to instrument with: the truest one that the engine has, unless one was asked for. */
static wasm_perf_clock clock_for(const job *work) {
  wasm_perf_clock clock = work->request->options.clock;
  if (clock != WASM_PERF_CLOCK_AUTO)
    return clock;
  if (work->request->options.memory)
    return WASM_PERF_CLOCK_NONE;
  bool is_session = work->request->command_words || work->form == FORM_SESSION;
  return is_session ? WASM_PERF_CLOCK_SAMPLED : WASM_PERF_CLOCK_INSTRUCTIONS;
}

static wi_options options_for(const job *work) {
  wi_options options = work->request->options;
  options.clock = clock_for(work);
  options.embed = work->form != FORM_LINKED;
  options.no_file = work->form == FORM_SESSION;
  options.flush = work->form == FORM_LINKED && cli_engine_needs_flush(work->engine);
  options.node_limit = work->request->node_limit;
  options.module_name = wi_path_name(work->request->module_path);
  return options;
}

/* The module of that form, or nothing, which it has told. */
static bool make_module(const job *work, wi_output *output) {
  wi_error error = {0};
  wi_options options = options_for(work);
  bool warns = work->form != FORM_SESSION && !work->has_warned; /* the session does it itself */
  options.warn = warns ? cli_warn : NULL;
  options.user = (void *)work->request->module_path;
  *output = (wi_output){0};
  if (wi_instrument(work->module, work->module_size, &options, output, &error))
    return true;
  cli_module_error(work->request->module_path, &error);
  return false;
}

/* Replaces the module by its instrumented form, in a file of the same name in the folder. */
static bool instrument(job *work) {
  wi_output output;
  if (!make_module(work, &output))
    return false;
  if (work->form == FORM_FILE && !output.writes_profile) { /* no WASI command that could */
    wi_output_clear(&output);
    work->has_warned = true;
    work->form = FORM_LINKED;
    if (!make_module(work, &output))
      return false;
  }
  free(work->module);
  work->module = output.bytes;
  work->module_size = output.size;
  const char *name = wi_path_name(work->request->module_path);
  bool is_taken = strcmp(name, CLI_PROFILE_NAME) == 0; /* by the profile, in the same folder */
  work->instrumented_path = cli_text("%s/%s%s", work->folder.path, name, is_taken ? ".wasm" : "");
  if (!wi_file_write(work->instrumented_path, work->module, work->module_size)) {
    cli_error(work->instrumented_path, "%s", strerror(errno));
    return false;
  }
  return wi_marker_read(work->module, work->module_size, &work->marker);
}

/* Whether the session will be able to instrument the module, which it does itself; tells if not. */
static bool check_embedding(const job *work) {
  wi_output output;
  bool done = make_module(work, &output);
  wi_output_clear(&output);
  return done;
}

/* Whether the module has the hook that such engines need; prints an error if not. */
static bool check_flush(const job *work) {
  if (!cli_engine_needs_flush(work->engine))
    return true;
  wi_error error = {0};
  wi_names *names = wi_names_read(work->module, work->module_size, &error);
  if (!names) {
    cli_module_error(work->request->module_path, &error);
    return false;
  }
  bool found = false;
  for (uint32_t i = 0; i < work->marker.import_count && !found; ++i)
    found = cli_ends_with(wi_names_get(names, work->marker.first_import + i), "perf_flush");
  wi_names_free(names);
  if (!found)
    cli_error(work->request->module_path,
              "wasmtime keeps no profile of it; instrument it with wasm-instrument --flush");
  return found;
}

/* Whether the engine can sample where that is needed; prints an error if not. */
static bool check_sampling(const job *work, bool samples) {
  const cli_request *request = work->request;
  if (!samples || cli_engine_samples(work->engine))
    return true;
  cli_error(
      request->module_path,
      "wasmtime takes no samples while calls are counted; use --engine node, another --clock, "
      "or wasm-perf sample and --times");
  return false;
}

/* The same before the module is instrumented, and once it is. */
static bool check_clock(const job *work) {
  return check_sampling(work, clock_for(work) == WASM_PERF_CLOCK_SAMPLED);
}

static bool check_samples(const job *work) {
  return check_sampling(work, strcmp(work->marker.clock, "sampled") == 0);
}

/* Whether the module takes no times itself, where those of another run are given; tells if not. */
static bool check_times(const job *work) {
  const char *clock = work->marker.clock;
  if (!work->request->times_path || strcmp(clock, "none") == 0)
    return true;
  cli_error(work->request->module_path, "its clock is %s; --times goes with --clock none", clock);
  return false;
}

/* How the profile of the module comes about. */
static form choose_form(const job *work, bool is_instrumented) {
  const cli_request *request = work->request;
  bool is_embedded = work->marker.is_embedded;
  if (!is_instrumented)
    is_embedded = request->options.clock != WASM_PERF_CLOCK_WALL && cli_engine_embeds(work->engine);
  if (!is_embedded || request->sample)
    return FORM_LINKED;
  return cli_engine_samples(work->engine) ? FORM_SESSION : FORM_FILE;
}

/* A terminal is told why there is no time, which a newer Node would sample. */
static void tell_of_clock(const job *work) {
  const cli_request *request = work->request;
  if (isatty(STDERR_FILENO) && request->options.clock == WASM_PERF_CLOCK_AUTO &&
      !request->options.memory && work->form == FORM_LINKED && cli_engine_samples(work->engine))
    cli_message("wasm-perf: this Node.js is older than 22: instructions are counted, no time");
}

/* wasm-perf sample: the module as it is. */
static bool prepare_sample(job *work, bool is_instrumented) {
  if (!is_instrumented)
    return true;
  cli_error(work->request->module_path,
            "it is instrumented; the times are to be of the module as it was");
  return false;
}

static bool prepare_instrumented(const job *work) {
  return check_samples(work) && check_times(work) &&
         (work->form != FORM_LINKED || check_flush(work));
}

/* wasm-perf run and record. */
static bool prepare_counts(job *work, bool is_instrumented) {
  if (is_instrumented)
    return prepare_instrumented(work);
  if (work->request->record && work->form == FORM_SESSION)
    return check_embedding(work);
  if (work->request->record)
    tell_of_clock(work);
  if (work->request->record)
    return check_clock(work) && instrument(work) && check_samples(work) && check_times(work);
  cli_error(work->request->module_path,
            "it is not instrumented; run wasm-instrument on it, or use wasm-perf record");
  return false;
}

/* Reads the module, has it instrumented where that was asked for, and checks that it will do. */
static bool prepare_module(job *work) {
  if (!cli_file_read(work->request->module_path, &work->module, &work->module_size))
    return false;
  bool is_instrumented = wi_marker_read(work->module, work->module_size, &work->marker);
  work->form = choose_form(work, is_instrumented);
  if ((work->request->invoke &&
       !cli_invoke_prepare(work->request, work->module, work->module_size, &work->arguments)) ||
      (work->form != FORM_SESSION && /* which names modules itself */
       !cli_record_name_module(work->request, &work->module, &work->module_size)))
    return false;
  return work->request->sample ? prepare_sample(work, is_instrumented)
                               : prepare_counts(work, is_instrumented);
}

/* ---- The profile --------------------------------------------------------- */

/* Adds to a profile what only the module has. */
static bool complete(const job *work, wasm_perf_profile *profile) {
  const char *path = work->request->module_path;
  const wi_ran_module module = {wi_path_name(path), work->module, work->module_size, &work->marker};
  wi_error error;
  if (!work->marker.is_embedded) /* else it says so itself */
    profile->facts.added_import_count = work->marker.import_count;
  return wi_profile_complete(profile, &module, &error) ||
         cli_module_error(path, &error) == CLI_EXIT_SUCCESS;
}

/* What the run has left; NULL on failure, which has been printed on stderr. */
static wasm_perf_profile *read_file(const job *work, const char *path) {
  if (work->request->sample && !cli_engine_samples(work->engine))
    return cli_times_profile(path, work->request->module_path, work->module, work->module_size);
  return cli_profile_read(path);
}

static wasm_perf_profile *read_profile(const job *work, int exit_code) {
  char *path = profile_path(work);
  wasm_perf_profile *profile = NULL;
  bool is_stopped = exit_code > CLI_EXIT_SIGNAL_BASE && wi_cleanup_noted_signal() > 0;
  if (access(path, F_OK) == 0)
    profile = read_file(work, path);
  else if (!cli_session_tell_signal(work->request->module_path) &&
           exit_code != CLI_EXIT_FAILURE) /* else the engine could not run it, and said why */
    cli_error(work->request->module_path, "the program ended without leaving a profile%s",
              is_stopped ? "; wasmtime keeps none of one that is stopped, --engine node does"
              : cli_exports_start(work->module, work->module_size)
                  ? ""
                  : ": it exports no _start that would run; --engine node has --invoke");
  free(path);
  if (!profile || complete(work, profile))
    return profile;
  wasm_perf_profile_free(profile);
  return NULL;
}

/* ---- The whole ----------------------------------------------------------- */

/* What the program is to see. */
static cli_program program_of(const job *work) {
  const cli_request *request = work->request;
  return (cli_program){.module_path =
                           work->instrumented_path ? work->instrumented_path : request->module_path,
                       .marker = &work->marker,
                       .sample = request->sample,
                       .no_inlining = request->no_inlining,
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
                       .file_name = CLI_PROFILE_NAME};
}

/* Whether functions have the indices of one module: not where several are joined. */
static bool has_indices(const job *work, const wasm_perf_profile *profile) {
  return !work->request->command_words || profile->facts.module;
}

/* Of one module alone the rewriter says so, before it runs. */
static void tell_of_guest(const job *work, const wasm_perf_profile *profile) {
  bool is_session = work->request->command_words || work->form == FORM_SESSION;
  if (is_session && work->request->options.guest != WI_GUEST_OFF &&
      (profile->facts.first_guest == 0 ||
       wasm_perf_profile_kind(profile, (uint32_t)profile->facts.first_guest) !=
           WASM_PERF_KIND_WASM))
    cli_message("wasm-perf: warning: no guest: no module that ran is CPython of version 3.13 or "
                "later");
}

/* The exit code of a run that ended with `exit_code` and wrote its profile or did not. */
static int finish(const job *work, wasm_perf_profile *profile, int exit_code) {
  bool timed = profile && cli_times_lay(&work->times, profile, has_indices(work, profile));
  if (profile) {
    cli_progress_tell("Ran for", work->start, profile->facts.run_time, profile);
    tell_of_guest(work, profile);
  }
  if (profile && work->request->record && !work->request->command_words)
    cli_symbols_try(profile, work->request->module_path); /* places and lines of the source */
  bool written = profile && cli_output_write(work->request, profile) && timed;
  wasm_perf_profile_free(profile);
  if (exit_code < 0)
    return CLI_EXIT_FAILURE;
  return written || exit_code != 0 ? exit_code : CLI_EXIT_FAILURE;
}

static bool write_snapshot(void *user, wasm_perf_profile *profile, const char *output) {
  const job *work = user;
  return cli_output_write_to(work->request, profile, output);
}

/* Runs the program, whose profile js/node/node_wasi.mjs keeps when a file asks for it. */
static int run_program(job *work) {
  const cli_program program = program_of(work);
  char *output = cli_output_path(work->request);
  char *note = cli_text("%s/" CLI_SESSION_STOP, work->folder.path);
  wi_cleanup_note_signals(note);
  int exit_code = -1;
  const char *warning = cli_engine_samples(work->engine)
                            ? NULL
                            : "wasmtime keeps no profile if it is stopped, --engine node does";
  if (cli_watch_begin(work->request, work->folder.path, warning, output, write_snapshot, work)) {
    exit_code = cli_engine_run(work->engine, &program);
    cli_watch_end();
  }
  wi_cleanup_note_signals(NULL);
  free(note);
  free(output);
  return exit_code;
}

static int run_and_report(job *work) {
  uint64_t start = cli_progress_now();
  int exit_code = run_program(work);
  uint64_t run_time = cli_progress_now() - start;
  wasm_perf_profile *profile = exit_code < 0 ? NULL : read_profile(work, exit_code);
  if (profile) {
    profile->facts.run_time = run_time;
    profile->facts.uninlined = work->request->sample && work->request->no_inlining;
  }
  return finish(work, profile, exit_code);
}

/* The same of a command whose modules are instrumented when it uses them. */
static int run_command(job *work, const char *clock, char *const *words) {
  wasm_perf_profile *profile = NULL;
  const cli_request *request = work->request;
  const char *folder = work->folder.path, *share_folder = cli_engine_share_folder(work->engine);
  char *output = cli_output_path(request);
  int exit_code = -1;
  if (cli_watch_begin(request, folder, NULL, output, write_snapshot, work)) {
    exit_code = (request->budget.whole > 0 ? cli_budget_run
                 : request->compare
                     ? cli_compare_run
                     : cli_session_run)(request, clock, words, folder, share_folder, &profile);
    cli_watch_end();
  }
  free(output);
  return finish(work, profile, exit_code);
}

/* A module in the session of a host that reads its profile. */
static int run_session(job *work) {
  bool is_instrumented = work->marker.is_embedded;
  cli_program program = program_of(work);
  program.file_name = is_instrumented ? "written" : NULL; /* no part of the session */
  cli_list words = {0};
  cli_engine_plain_words(work->engine, &program, &words);
  const char *clock = is_instrumented ? work->marker.clock : wasm_perf_clock_name(clock_for(work));
  int exit_code = run_command(work, clock, words.items);
  cli_list_clear(&words);
  return exit_code;
}

static int run_component(const job *work) {
  wasm_perf_profile *profile;
  int exit_code = cli_component_run(work->request, work->engine, work->folder.path, &profile);
  bool timed = profile && cli_times_lay(&work->times, profile, false);
  bool written = profile && cli_output_write(work->request, profile) && timed;
  wasm_perf_profile_free(profile);
  return exit_code >= 0 && (written || exit_code != 0) ? exit_code : CLI_EXIT_FAILURE;
}

/* Whether the program also runs as it is, so that there must be no hooks in it yet. */
static bool runs_plain(const cli_request *request) {
  return request->budget.whole > 0 || request->compare;
}

/* The option that needs a program that can be asked while it runs; or NULL. */
static const char *watch_option(const cli_request *request) {
  return request->every > 0      ? "--every"
         : request->duration > 0 ? "--duration"
         : request->listen       ? "--listen"
                                 : NULL;
}

/* Whether an option was asked for that does not go with the run; prints an error then. */
static bool is_refused(const job *work, bool is_component) {
  const cli_request *request = work->request;
  bool is_session = request->command_words || (!is_component && work->form == FORM_SESSION);
  const char *plain = request->budget.whole > 0 ? "--budget" : "--compare";
  if (runs_plain(request) && (!is_session || work->marker.is_embedded))
    cli_error(request->module_path,
              "%s needs Node.js 22 or newer, a clock other than wall, and a module without hooks "
              "that is not a component",
              plain);
  else if (request->invoke && !cli_engine_samples(work->engine))
    cli_error(request->module_path, "--invoke needs --engine node and a core module");
  else if (watch_option(request) && !cli_engine_samples(work->engine))
    cli_error(request->module_path,
              "%s needs --engine node and a core module: wasmtime keeps no profile of a program "
              "that has not ended",
              watch_option(request));
  else
    return false;
  return true;
}

static int execute_job(job *work, bool is_component) {
  const cli_request *request = work->request;
  bool is_module = !is_component && !request->command_words;
  const char *times_path = request->times_path;
  if ((times_path && !cli_times_read(&work->times, times_path)) || !cli_output_check(request) ||
      !cli_private_folder(&work->folder, &work->request->dirs) ||
      (is_module && !prepare_module(work)) || is_refused(work, is_component))
    return CLI_EXIT_FAILURE;
  if (is_component)
    return run_component(work);
  if (request->command_words)
    return run_command(work, wasm_perf_clock_name(clock_for(work)), request->command_words);
  return work->form == FORM_SESSION ? run_session(work) : run_and_report(work);
}

/* The engine's name, or NULL: any. */
static const char *engine_name(const cli_request *request, bool is_component) {
  if (request->command_words)
    return "node";
  return is_component && !request->engine ? "wasmtime" : request->engine;
}

static int execute(const cli_request *request) {
  job work = {.request = request, .start = cli_progress_now()};
  bool is_component = !request->command_words && cli_is_component(request->module_path);
  work.engine = cli_engine_find(engine_name(request, is_component));
  int exit_code = work.engine ? execute_job(&work, is_component) : CLI_EXIT_FAILURE;
  job_clear(&work);
  return exit_code;
}

int cli_request_main(const cli_command *command, int argc, char **argv) {
  cli_request request = {0};
  cli_watch_listen();
  int status = cli_request_parse(&request, command, argc, argv);
  if (status == CLI_PROCEED)
    status = execute(&request);
  cli_request_clear(&request);
  return status;
}
