/* wasm-perf run, sample and record: a module in, a profile or a report out. */
#define _POSIX_C_SOURCE 200809L

#include "cli/common/file.h"
#include "cli/common/message.h"
#include "cli/perf/profiles.h"
#include "cli/perf/request.h"
#include "cli/perf/session.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "cli/perf/run.h"

/* What one run holds; cleared by job_clear. */
typedef struct job {
  const cli_request *request;
  cli_engine *engine;
  uint8_t *module; /* as it runs: instrumented */
  size_t module_size;
  wi_marker marker;
  wi_temporary folder;     /* private, for module and profile */
  char *instrumented_path; /* in the folder; NULL: the module runs from where it is */
} job;

/* ---- The temporary folder ------------------------------------------------ */

static bool make_folder(job *work) {
  const char *parent = cli_variable("TMPDIR");
  parent = parent ? parent : "/tmp";
  if (wi_temporary_folder(&work->folder, parent, "wasm-perf"))
    return true;
  cli_error(parent, "%s", strerror(errno));
  return false;
}

static char *profile_path(const job *work) {
  return cli_text("%s/" CLI_PROFILE_NAME, work->folder.path);
}

static void job_clear(job *work) {
  wi_temporary_remove(&work->folder);
  free(work->instrumented_path);
  free(work->module);
  cli_engine_free(work->engine);
}

/* ---- The module ---------------------------------------------------------- */

/* Replaces the module by its instrumented form, in a file of the same name in the folder. */
static bool instrument(job *work) {
  wi_options options = work->request->options;
  options.flush = cli_engine_needs_flush(work->engine);
  wi_output output = {0};
  wi_error error = {0};
  if (!wi_instrument(work->module, work->module_size, &options, &output, &error)) {
    cli_module_error(work->request->module_path, &error);
    return false;
  }
  free(work->module);
  work->module = output.bytes;
  work->module_size = output.size;
  const char *name = cli_basename(work->request->module_path);
  bool is_taken = strcmp(name, CLI_PROFILE_NAME) == 0; /* by the profile, in the same folder */
  work->instrumented_path = cli_text("%s/%s%s", work->folder.path, name, is_taken ? ".wasm" : "");
  if (!wi_file_write(work->instrumented_path, work->module, work->module_size)) {
    cli_error(work->instrumented_path, "%s", strerror(errno));
    return false;
  }
  return wi_marker_read(work->module, work->module_size, &work->marker);
}

/* Whether the module has the hook that such engines need; tells if not. */
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

/* Whether the engine does what has to do with samples; tells if not. */
static bool check_samples(const job *work) {
  const cli_request *request = work->request;
  bool samples =
      request->sample || request->times_path || strcmp(work->marker.clock, "sampled") == 0;
  if (!samples || cli_engine_samples(work->engine))
    return true;
  cli_error(request->module_path,
            "wasmtime takes no samples; use --engine node, or another --clock");
  return false;
}

/* Whether the file is what sample wrote of the module before it was instrumented; tells if not. */
static bool check_times_file(const char *path, const wi_marker *marker) {
  wasm_perf_profile *profile = cli_profile_read(path);
  if (!profile)
    return false;
  const wasm_perf_header header = profile->header;
  wasm_perf_profile_free(profile);
  if (header.clock != WASM_PERF_CLOCK_SAMPLED)
    cli_error(path, "its times are not samples");
  else if (header.host_function_count != marker->first_import)
    cli_error(path, "it is of another module, which imports %" PRIu32 " functions, not %" PRIu32,
              header.host_function_count, marker->first_import);
  else
    return true;
  return false;
}

/* Whether the times, if they are of another run, go with the module; tells if not. */
static bool check_times(const job *work) {
  const char *clock = work->marker.clock, *path = work->request->times_path;
  if (!path)
    return true;
  if (strcmp(clock, "none") == 0 || strcmp(clock, "sampled") == 0)
    return check_times_file(path, &work->marker);
  cli_error(work->request->module_path,
            "its clock is %s; --times goes with --clock none or --clock sampled", clock);
  return false;
}

/* wasm-perf sample: the module as it is. */
static bool prepare_sample(job *work, bool is_instrumented) {
  if (!is_instrumented)
    return check_samples(work);
  cli_error(work->request->module_path,
            "it is instrumented; the times are to be of the module as it was");
  return false;
}

/* wasm-perf run and record. */
static bool prepare_counts(job *work, bool is_instrumented) {
  if (is_instrumented)
    return check_samples(work) && check_times(work) && check_flush(work);
  if (work->request->record)
    return instrument(work) && check_samples(work) && check_times(work);
  cli_error(work->request->module_path,
            "it is not instrumented; run wasm-instrument on it, or use wasm-perf record");
  return false;
}

/* Reads the module, has it instrumented where that was asked for, and checks that it will do. */
static bool prepare_module(job *work) {
  if (!cli_file_read(work->request->module_path, &work->module, &work->module_size))
    return false;
  bool is_instrumented = wi_marker_read(work->module, work->module_size, &work->marker);
  return work->request->sample ? prepare_sample(work, is_instrumented)
                               : prepare_counts(work, is_instrumented);
}

/* ---- The profile --------------------------------------------------------- */

/* An engine that knows nothing of names leaves that to us. */
static bool add_names(const job *work, wasm_perf_profile *profile) {
  wi_error error = {0};
  wi_names *names = wi_names_read(work->module, work->module_size, &error);
  if (!names) {
    cli_module_error(work->request->module_path, &error);
    return false;
  }
  bool done = true;
  profile->header.host_function_count = work->marker.first_import;
  profile->header.function_count = work->marker.function_count;
  profile->header.hooked_function_count = work->marker.instrumented_count;
  for (uint32_t i = 0; i < profile->header.node_count && done; ++i) {
    uint32_t function = profile->nodes[i].function;
    if (function < wi_names_count(names) && !wasm_perf_profile_name(profile, function))
      done = wasm_perf_profile_set_name(profile, function, wi_names_get(names, function));
  }
  wi_names_free(names);
  if (!done)
    cli_error(NULL, "memory ran out");
  return done;
}

/* Says where functions stand in the source, as the DWARF of the module that ran has it. */
static bool add_places(const job *work, wasm_perf_profile *profile) {
  wi_error error;
  wi_places *places = wi_places_read(work->module, work->module_size, &error);
  bool done = places != NULL;
  for (uint32_t i = 0; i < profile->header.node_count && done; ++i) {
    uint32_t function = profile->nodes[i].function, line = 0;
    const char *path = wi_places_find(places, function, &line);
    done = !path || wasm_perf_profile_set_place(profile, function, line, path, strlen(path));
  }
  wi_places_free(places);
  if (!done)
    cli_error(NULL, "memory ran out");
  return done;
}

/* NULL on failure, which somebody has printed on stderr. */
static wasm_perf_profile *read_profile(const job *work, int exit_code) {
  char *path = profile_path(work);
  wasm_perf_profile *profile = NULL;
  if (access(path, F_OK) == 0)
    profile = cli_profile_read(path);
  else if (exit_code != CLI_EXIT_FAILURE) /* else the engine could not run it, and said why */
    cli_error(work->request->module_path, "the program ended without leaving a profile");
  free(path);
  if (profile && ((profile->header.name_count == 0 && !add_names(work, profile)) ||
                  !add_places(work, profile))) {
    wasm_perf_profile_free(profile);
    return NULL;
  }
  return profile;
}

/* The output's name where none was given: app.wasm -> app.wperf. */
static char *default_output(const cli_request *request) {
  const char *name = cli_basename(request->module_path);
  size_t size = strlen(name) - (cli_ends_with(name, ".wasm") ? strlen(".wasm") : 0);
  const char *extension = request->format ? request->format->extension : "wperf";
  return cli_text("%.*s.%s", (int)size, name, extension);
}

static bool write_profile(const job *work, wasm_perf_profile *profile) {
  const cli_request *request = work->request;
  /* A .wperf keeps names and times as they are; wasm-perf report demangles and compensates. */
  if (request->format) {
    wasm_perf_profile_compensate(profile);
    if (!cli_profile_demangle(profile))
      return false;
  }
  char *output = request->output ? cli_text("%s", request->output) : default_output(request);
  wasm_perf_report_options options = {.title = cli_basename(request->module_path)};
  bool written = cli_profile_write(profile, request->format, &options, output);
  free(output);
  return written;
}

/* ---- The whole ----------------------------------------------------------- */

/* Returns the program's exit code, or CLI_EXIT_FAILURE if that is 0 but no output was written. */
static int run_and_report(const job *work) {
  const cli_request *request = work->request;
  cli_program program = {.module_path = work->instrumented_path ? work->instrumented_path
                                                                : request->module_path,
                         .marker = request->sample ? NULL : &work->marker,
                         .times_path = request->times_path,
                         .args = request->args,
                         .arg_count = request->arg_count,
                         .engine_options = &request->engine_options,
                         .dirs = &request->dirs,
                         .variables = &request->variables,
                         .node_limit = request->node_limit,
                         .folds_recursion = request->folds_recursion,
                         .folder = work->folder.path};
  int exit_code = cli_engine_run(work->engine, &program);
  if (exit_code < 0)
    return CLI_EXIT_FAILURE;
  wasm_perf_profile *profile = read_profile(work, exit_code);
  bool written = profile && write_profile(work, profile);
  wasm_perf_profile_free(profile);
  return written || exit_code != 0 ? exit_code : CLI_EXIT_FAILURE;
}

/* The same of a command whose modules are instrumented when it uses them. */
static int run_command(const job *work, char *const *words) {
  const cli_request *request = work->request;
  wasm_perf_profile *profile;
  int exit_code = cli_session_run(request, words, work->folder.path,
                                  cli_engine_share_folder(work->engine), &profile);
  bool written = profile && write_profile(work, profile);
  wasm_perf_profile_free(profile);
  if (exit_code < 0)
    return CLI_EXIT_FAILURE;
  return written || exit_code != 0 ? exit_code : CLI_EXIT_FAILURE;
}

/*
 * Whether a module is instrumented on its way to the engine: where that is asked for, and it is not
 * instrumented yet, and nothing is asked that only hooks as imports can do.
 */
static bool is_embedded(const job *work) {
  const cli_request *request = work->request;
  wi_clock clock = request->options.clock;
  bool can_embed = clock != WI_CLOCK_WALL && clock != WI_CLOCK_HYBRID;
  if (!request->record || request->options.inline_hooks || request->times_path || !can_embed ||
      !cli_engine_embeds(work->engine))
    return false;
  uint8_t *bytes;
  size_t size;
  wi_marker marker;
  if (!wi_file_read(request->module_path, &bytes, &size))
    return false;
  bool is_instrumented = wi_marker_read(bytes, size, &marker);
  free(bytes);
  return !is_instrumented;
}

/* Whether the module can be instrumented so; tells if not. */
static bool check_embedding(const job *work) {
  const char *path = work->request->module_path;
  wi_options options = work->request->options;
  options.embed = options.no_file = true;
  uint8_t *bytes;
  size_t size;
  if (!cli_file_read(path, &bytes, &size))
    return false;
  wi_output output = {0};
  wi_error error = {0};
  bool done = wi_instrument(bytes, size, &options, &output, &error);
  if (!done)
    cli_module_error(path, &error);
  wi_output_clear(&output);
  free(bytes);
  return done;
}

static int run_embedded(const job *work) {
  const cli_request *request = work->request;
  if (!check_embedding(work))
    return CLI_EXIT_FAILURE;
  cli_program program = {.module_path = request->module_path,
                         .args = request->args,
                         .arg_count = request->arg_count,
                         .engine_options = &request->engine_options,
                         .dirs = &request->dirs,
                         .variables = &request->variables};
  cli_list words = {0};
  cli_engine_plain_words(work->engine, &program, &words);
  int exit_code = run_command(work, words.items);
  cli_list_clear(&words);
  return exit_code;
}

static int execute(const cli_request *request) {
  job work = {.request = request};
  int exit_code = CLI_EXIT_FAILURE;
  work.engine = cli_engine_find(request->command_words ? "node" : request->engine);
  if (work.engine && request->command_words)
    exit_code = make_folder(&work) ? run_command(&work, request->command_words) : CLI_EXIT_FAILURE;
  else if (work.engine && is_embedded(&work))
    exit_code = make_folder(&work) ? run_embedded(&work) : CLI_EXIT_FAILURE;
  else if (work.engine && make_folder(&work) && prepare_module(&work))
    exit_code = run_and_report(&work);
  job_clear(&work);
  return exit_code;
}

int cli_request_main(const cli_command *command, int argc, char **argv) {
  cli_request request = {0};
  int status = cli_request_parse(&request, command, argc, argv);
  if (status == CLI_PROCEED)
    status = execute(&request);
  cli_request_clear(&request);
  return status;
}
