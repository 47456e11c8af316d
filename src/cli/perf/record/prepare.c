#include "cli/perf/record/prepare.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "cli/common/build_names.h"
#include "cli/common/file.h"
#include "cli/common/message.h"
#include "cli/perf/record/invoke.h"

wasm_perf_clock cli_job_clock(const cli_job *work) {
  wasm_perf_clock clock = work->request->options.clock;
  if (clock != WASM_PERF_CLOCK_AUTO)
    return clock;
  if (wi_options_replace_clock(&work->request->options))
    return WASM_PERF_CLOCK_NONE;
  bool is_session = work->request->command_words || work->form == CLI_FORM_SESSION;
  return is_session ? WASM_PERF_CLOCK_SAMPLED : WASM_PERF_CLOCK_INSTRUCTIONS;
}

static wasm_perf_clock clock_named(const char *name) {
#define CLOCK_NAMED(id, text, number, forms, measurer, help, label)                                \
  if (strcmp(name, text) == 0)                                                                     \
    return WASM_PERF_CLOCK_##id;
  WASM_PERF_CLOCKS(CLOCK_NAMED)
#undef CLOCK_NAMED
  return WASM_PERF_CLOCK_AUTO;
}

/* Reads the module's marker and clock. False if it is not instrumented. */
static bool read_marker(cli_job *work) {
  bool is_instrumented = wi_marker_read(work->module, work->module_size, &work->marker);
  work->clock = clock_named(work->marker.clock);
  return is_instrumented;
}

static wi_options options_for(const cli_job *work) {
  wi_options options = work->request->options;
  options.clock = cli_job_clock(work);
  options.embed = work->form != CLI_FORM_LINKED;
  options.single_memory = options.embed && work->has_one_memory;
  options.no_file = work->form != CLI_FORM_FILE;
  options.flush = work->form == CLI_FORM_LINKED && cli_engine_can(work->engine, CLI_NEEDS_FLUSH);
  options.node_limit = work->request->node_limit;
  options.module_name = wi_path_name(work->request->module_path);
  return options;
}

/* Instruments the module for work->form. False on failure. */
static bool make_module(const cli_job *work, wi_output *output, wi_error *error) {
  wi_options options = options_for(work);
  bool warns = work->form != CLI_FORM_SESSION && !work->has_warned; /* a session warns itself */
  options.warn = warns ? cli_warn : NULL;
  options.user = (void *)work->request->module_path;
  *output = (wi_output){0};
  return wi_instrument(work->module, work->module_size, &options, output, error);
}

static bool fail_module(const cli_job *work, const wi_error *error) {
  return cli_fail_module(work->request->failure, work->request->module_path, error);
}

/* Writes the module to the private folder under the same name. */
static bool write_module(cli_job *work) {
  const char *name = wi_path_name(work->request->module_path);
  bool is_taken = strcmp(name, CLI_PROFILE_NAME) == 0; /* by the profile */
  work->written_path = cli_text("%s/%s%s", work->folder.path, name, is_taken ? ".wasm" : "");
  return wi_file_write(work->written_path, work->module, work->module_size) ||
         cli_fail(work->request->failure, work->written_path, "%s", strerror(errno));
}

/* Whether an old engine can do what the options ask for. Samples need a session, the others the embedded runtime. */
static bool check_age(const cli_job *work) {
  const wi_options *options = &work->request->options;
  const char *option = options->clock == WASM_PERF_CLOCK_SAMPLED ? "--clock sampled"
                       : work->form != CLI_FORM_LINKED           ? NULL
                       : options->memory                         ? "--memory"
                       : options->count_blocks                   ? "--lines"
                       : options->measure_calls                  ? "--calls"
                       : options->guest != WI_GUEST_OFF          ? "--guest"
                       : options->deterministic                  ? "--deterministic"
                                                                 : NULL;
  if (!option || !work->has_one_memory || !work->engine->host->too_old)
    return true;
  return cli_fail(work->request->failure, work->request->module_path, "%s cannot be used: %s",
                  option, work->engine->host->too_old);
}

/*
 * Instruments the module. A module that does not write its profile, or whose memory cannot have it, gets the linked form.
 */
static bool make_any_module(cli_job *work, wi_output *output) {
  wi_error error;
  bool done = make_module(work, output, &error);
  bool is_kept = done && (work->form != CLI_FORM_FILE || output->writes_profile);
  bool has_other = work->form != CLI_FORM_LINKED && (done || work->has_one_memory);
  if (is_kept || !has_other)
    return done || fail_module(work, &error);
  wi_output_clear(output);
  work->has_warned = true;
  work->form = CLI_FORM_LINKED;
  return check_age(work) && (make_module(work, output, &error) || fail_module(work, &error));
}

/* Tells where the profile is, which costs the program time. */
static void note_single_memory(const cli_job *work, const wi_output *output) {
  if (output->has_single_memory)
    cli_message("wasm-perf: %s allows one memory, so the profile is in the module's own",
                work->engine->host->name);
}

/* Instruments the module and writes it. */
static bool instrument(cli_job *work) {
  wi_output output;
  if (!make_any_module(work, &output))
    return false;
  note_single_memory(work, &output);
  free(work->module);
  work->module = output.bytes;
  work->module_size = output.size;
  if (!write_module(work))
    return false;
  return read_marker(work);
}

/* Whether the session can instrument the module, tried here for errors. */
static bool check_embedding(const cli_job *work) {
  wi_output output;
  wi_error error;
  bool done = make_module(work, &output, &error) || fail_module(work, &error);
  wi_output_clear(&output);
  return done;
}

/* Whether the module calls perf_flush if the engine needs it. */
static bool check_flush(const cli_job *work) {
  if (!cli_engine_can(work->engine, CLI_NEEDS_FLUSH))
    return true;
  wi_error error = {0};
  wi_names *names = wi_names_read(work->module, work->module_size, &error);
  if (!names)
    return cli_fail_module(work->request->failure, work->request->module_path, &error);
  bool found = false;
  for (uint32_t i = 0; i < work->marker.import_count && !found; i++)
    found = cli_ends_with(wi_names_get(names, work->marker.first_import + i), "perf_flush");
  wi_names_free(names);
  return found || cli_fail(work->request->failure, work->request->module_path,
                           "%s cannot save its profile; instrument it with wasm-instrument --flush",
                           work->engine->host->name);
}

/* Whether the engine can sample if that is needed. */
static bool check_sampling(const cli_job *work, bool samples) {
  const cli_request *request = work->request;
  if (!samples || cli_engine_can(work->engine, CLI_SAMPLES_CALLS))
    return true;
  return cli_fail(
      request->failure, request->module_path,
      "%s cannot sample while calls are counted; use --engine %s, or another --clock, or "
      "--times with a profile of --no-hooks",
      work->engine->host->name, cli_engine_with(CLI_SAMPLES_CALLS));
}

/* Checks before instrumenting; check_samples checks afterwards. */
static bool check_clock(const cli_job *work) {
  return check_sampling(work, cli_job_clock(work) == WASM_PERF_CLOCK_SAMPLED);
}

static bool check_samples(const cli_job *work) {
  return check_sampling(work, work->clock == WASM_PERF_CLOCK_SAMPLED);
}

/* Whether the module measures no time if --times is given. Linked hooks count calls, whatever they are for. */
static bool check_times(const cli_job *work) {
  if (!work->request->times_path || work->clock == WASM_PERF_CLOCK_NONE ||
      work->form == CLI_FORM_LINKED)
    return true;
  return cli_fail(work->request->failure, work->request->module_path,
                  "its clock is %s; --times needs --clock none", work->marker.clock);
}

/* Chooses how the module is profiled. */
static cli_form choose_form(const cli_job *work, bool is_instrumented) {
  const cli_request *request = work->request;
  bool is_embedded = work->marker.is_embedded;
  bool is_ours = cli_engine_can(work->engine, CLI_HOLDS_SESSION);
  if (request->sample)
    return is_ours ? CLI_FORM_SESSION : CLI_FORM_LINKED;
  bool fits_linked_only = request->options.clock == WASM_PERF_CLOCK_WALL ||
                          (work->has_one_memory && request->times_path);
  if (is_instrumented ? !is_embedded : fits_linked_only)
    return CLI_FORM_LINKED;
  if (!is_ours)
    return CLI_FORM_FILE;
  return work->has_one_memory ? CLI_FORM_READ : CLI_FORM_SESSION;
}

/* Prints on a terminal why there are no times, which a newer engine would sample. */
static void note_no_times(const cli_job *work) {
  const cli_request *request = work->request;
  if (request->options.clock == WASM_PERF_CLOCK_AUTO &&
      !wi_options_replace_clock(&request->options) && work->has_one_memory &&
      work->engine->host->too_old)
    cli_message("wasm-perf: %s, so it counts instructions, not time", work->engine->host->too_old);
}

/* For --no-hooks: checks that the module has none. The engine reports its names. */
static bool prepare_sample(cli_job *work, bool is_instrumented, bool is_named) {
  if (!is_instrumented)
    return !is_named || write_module(work);
  return cli_fail(work->request->failure, work->request->module_path,
                  "it is instrumented; --no-hooks needs the original module");
}

void cli_request_warn_instrumented(const cli_request *request) {
  if (request->hook_option)
    cli_message("wasm-perf: %s: warning: it is instrumented already, so --%s has no effect",
                request->module_path, request->hook_option);
}

/* Linked hooks pass the number of instructions, or they do not. Calls are counted with both, also while sampling. */
static bool check_host_clock(const cli_job *work) {
  wasm_perf_clock asked = work->request->options.clock;
  bool counts = work->clock == WASM_PERF_CLOCK_INSTRUCTIONS;
  bool is_wrong = counts ? asked == WASM_PERF_CLOCK_WALL : asked == WASM_PERF_CLOCK_INSTRUCTIONS;
  return work->form != CLI_FORM_LINKED || !is_wrong ||
         cli_fail(work->request->failure, work->request->module_path,
                  "its hooks are for the clock '%s': wasm-instrument --clock %s makes others",
                  work->marker.clock, wasm_perf_clock_name(asked));
}

static bool prepare_instrumented(const cli_job *work) {
  bool is_hosts_choice = work->form == CLI_FORM_LINKED && work->request->gives_only_clock;
  if (!is_hosts_choice)
    cli_request_warn_instrumented(work->request);
  if (work->clock == WASM_PERF_CLOCK_AUTO)
    return cli_fail(work->request->failure, work->request->module_path,
                    "its clock, '%s', is not supported by this version", work->marker.clock);
  return check_samples(work) && check_times(work) && check_host_clock(work) &&
         (work->form != CLI_FORM_LINKED || check_flush(work));
}

/* For a run with hooks. */
static bool prepare_counts(cli_job *work, bool is_instrumented) {
  if (is_instrumented)
    return prepare_instrumented(work);
  if (work->form == CLI_FORM_SESSION)
    return check_embedding(work);
  if (!check_age(work))
    return false;
  note_no_times(work);
  return check_clock(work) && instrument(work) && check_samples(work) && check_times(work);
}

static void note_build(void *user, const char *path, const char *message) {
  (void)user;
  cli_warn((void *)path, message);
}

bool cli_request_name_module(const cli_request *request, uint8_t **module, size_t *size) {
  const cli_name_request from = {.module_path = request->module_path,
                                 .paths = (const char *const *)request->symbols.items,
                                 .count = request->symbols.count,
                                 .hints = true,
                                 .note = note_build};
  wi_buffer named;
  wi_error error;
  char *path;
  bool done = cli_name_functions(&from, *module, *size, &named, &error, &path);
  if (!done && error.code == WI_ERROR_NONE)
    cli_fail(request->failure, path, "%s", strerror(errno));
  else if (!done)
    cli_fail_module(request->failure, path ? path : request->module_path, &error);
  free(done ? NULL : path);
  if (!done || named.size == 0)
    return done;
  free(*module);
  *module = named.data;
  *size = named.size;
  return true;
}

bool cli_job_prepare(cli_job *work) {
  if (!cli_file_read(work->request->module_path, &work->module, &work->module_size,
                     work->request->failure))
    return false;
  bool is_instrumented = read_marker(work);
  const uint8_t *original = work->module;
  work->has_one_memory =
      work->engine->host->has_one_memory(work->engine, &work->request->engine_options);
  work->form = choose_form(work, is_instrumented);
  if ((work->request->invoke &&
       !cli_invoke_prepare(work->request, work->module, work->module_size, &work->arguments)) ||
      ((work->form != CLI_FORM_SESSION || /* a session names the modules that it instruments */
        work->request->sample) &&
       !cli_request_name_module(work->request, &work->module, &work->module_size)))
    return false;
  return work->request->sample ? prepare_sample(work, is_instrumented, work->module != original)
                               : prepare_counts(work, is_instrumented);
}
