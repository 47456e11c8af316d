#include "cli/perf/record/component.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "cli/common/file.h"
#include "cli/perf/input/text_profiles.h"
#include "cli/perf/record/prepare.h"
#include "component/container.h"
#include "component/lift.h"
#include "module/names.h"

bool cli_is_component(const char *path) {
  uint8_t head[WI_COMPONENT_HEADER_SIZE];
  struct stat status;
  /* Not from a pipe: bytes read from it would be lost, and reading could block. */
  FILE *file = stat(path, &status) == 0 && S_ISREG(status.st_mode) ? fopen(path, "rb") : NULL;
  if (!file)
    return false;
  size_t size = fread(head, 1, sizeof head, file);
  fclose(file);
  return wi_component_is(head, size);
}

/* ---- Preparing the file --------------------------------------------------------------------- */

static bool is_instrumented(const wi_component *component) {
  wi_marker marker;
  for (uint32_t i = 0; i < component->parts_count; i++) {
    const wi_component_part *part = &component->parts[i];
    if (part->is_module &&
        wi_marker_read(component->bytes + part->bytes.offset, part->bytes.size, &marker))
      return true;
  }
  return false;
}

static bool instrument(const cli_request *request, const cli_engine *engine, const uint8_t *bytes,
                       size_t size, const char *path) {
  wi_options options = request->options;
  wi_output output;
  wi_error error;
  options.embed = true;
  options.single_memory = engine->host->has_one_memory(engine, &request->engine_options);
  options.node_limit = request->node_limit;
  options.module_name = wi_path_name(request->module_path);
  options.warn = cli_warn;
  options.user = (void *)request->module_path;
  options.modules = (const char *const *)request->module_globs.items; /* NULL if empty */
  bool done = wi_instrument(bytes, size, &options, &output, &error);
  if (!done)
    cli_fail_module(request->failure, request->module_path, &error);
  else if (!(done = wi_file_write(path, output.bytes, output.size)))
    cli_fail(request->failure, path, "%s", strerror(errno));
  wi_output_clear(&output);
  return done;
}

/* Why the request cannot be met for a component, or NULL. */
static const char *obstacle(const cli_request *request, const wi_component *component) {
  if (!wi_component_exports(component, WI_COMPONENT_COMMAND, true))
    return "not a WASI command: the component does not export wasi:cli/run. Use wasm-instrument "
           "--embed on it, and call its exports wasm-perf-profile and wasm-perf-read in its host";
  if (request->options.clock == WASM_PERF_CLOCK_SAMPLED)
    return "components cannot be sampled; use --clock instructions or none";
  return NULL;
}

/*
 * Writes the instrumented component to `path`, and sets *is_new, unless the given one is already
 * instrumented. False on failure.
 */
static bool prepare(const cli_request *request, const cli_engine *engine, const char *path,
                    bool *is_new) {
  uint8_t *bytes;
  size_t size;
  wi_component component;
  wi_error error;
  wi_error_reset(&error);
  if (!cli_file_read(request->module_path, &bytes, &size, request->failure))
    return false;
  bool done = wi_component_read(&component, bytes, size, &error);
  if (!done)
    cli_fail_module(request->failure, request->module_path, &error);
  if (done) {
    bool instrumented = is_instrumented(&component);
    const char *why = obstacle(request, &component);
    bool is_runnable = cli_engine_can(engine, CLI_RUNS_COMPONENTS);
    *is_new = !instrumented;
    if (instrumented)
      cli_request_warn_instrumented(request);
    if (!is_runnable)
      cli_fail(request->failure, request->module_path,
               "it is a component, which this engine cannot run; use --engine %s",
               cli_engine_with(CLI_RUNS_COMPONENTS));
    else if (why)
      cli_fail(request->failure, request->module_path, "%s", why);
    done = is_runnable && !why &&
           (instrumented || (cli_request_name_module(request, &bytes, &size) &&
                             instrument(request, engine, bytes, size, path)));
    wi_component_clear(&component);
  }
  free(bytes);
  return done;
}

/* ---- Running --------------------------------------------------------------------------- */

/* Forwards the program's own output to stderr at once. */
static void take_output(void *user, const uint8_t *bytes, size_t size) {
  cli_text_lines *lines = user;
  cli_text_lines_feed(lines, bytes, size);
  for (size_t from = 0; from < lines->text.size;) {
    ssize_t written = write(STDERR_FILENO, lines->text.data + from, lines->text.size - from);
    if (written < 0 && errno != EINTR)
      break;
    from += written > 0 ? (size_t)written : 0;
  }
  lines->text.size = 0;
}

static int run(const cli_request *request, const cli_engine *engine, const char *path,
               cli_text_lines *lines) {
  cli_program program = {.module_path = path,
                         .args = request->args,
                         .arg_count = request->arg_count,
                         .engine_options = &request->engine_options,
                         .dirs = &request->dirs,
                         .variables = &request->variables};
  int exit_code = cli_engine_run_component(engine, &program, take_output, lines, request->failure);
  if (!cli_text_lines_end(lines))
    cli_fail_memory(request->failure);
  take_output(lines, NULL, 0);
  return exit_code;
}

int cli_component_run(const cli_request *request, const cli_engine *engine, const char *folder,
                      wasm_perf_profile **profile) {
  char *copy = cli_text("%s/%s", folder, wi_path_name(request->module_path));
  bool is_new = false;
  int exit_code = -1;
  *profile = NULL;
  if (prepare(request, engine, copy, &is_new)) {
    const char *path = is_new ? copy : request->module_path;
    cli_text_lines lines = {0};
    exit_code = run(request, engine, path, &lines);
    if (exit_code >= 0)
      *profile = cli_text_profiles_join(&lines, path, request->module_path, request->failure);
    if (exit_code == 0 && !*profile && lines.profiles_count == 0)
      cli_fail(request->failure, request->module_path,
               "the program ended without leaving a profile: it needs wasi:cli/run of WASI 0.2 or "
               "_start, and the imports that write to stderr");
    cli_text_lines_clear(&lines);
  }
  free(copy);
  return exit_code;
}
