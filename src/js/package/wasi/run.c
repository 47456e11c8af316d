/*
 * wasm-perf record for the npm package. Parses the command line with the native command's tables and
 * passes the request to the JavaScript host, which runs the program.
 */
#include <stdlib.h>
#include <string.h>

#include "cli/perf/commands.h"
#include "cli/perf/record/output.h"
#include "cli/perf/record/request_check.h"
#include "cli/perf/record/run.h"
#include "cli/perf/record/session_settings.h"

/*
 * Makes the host run the command after '--', called `name`, in a session with these settings, and
 * write a report to `output`. A `duration` of 0 means no limit.
 */
__attribute__((import_module("host"), import_name("record"))) void
host_record(const char *settings, size_t settings_size, const char *output, size_t output_size,
            const char *name, size_t name_size, uint32_t duration_ms, bool open);

/* An option that only the native command has, or NULL. */
static const char *native_option(const cli_request *request) {
  return request->listen                     ? "--listen"
         : request->every > 0                ? "--every"
         : request->budget.whole > 0         ? "--budget"
         : request->compare                  ? "--compare"
         : request->times_path               ? "--times"
         : request->engine                   ? "--engine"
         : request->engine_options.count > 0 ? "--engine-option"
         : request->dirs.count > 0           ? "--dir"
         : request->variables.count > 0      ? "--env"
                                             : NULL;
}

static int check(const cli_request *request) {
  const char *option = native_option(request);
  if (!request->record || !request->command_words)
    return cli_usage_error(request->command, "a WASI program needs the native wasm-perf; this one "
                                             "profiles JavaScript programs: -- node app.mjs");
  if (option)
    return cli_usage_error(request->command, "%s needs the native wasm-perf", option);
  return cli_output_check(request) ? CLI_PROCEED : CLI_EXIT_FAILURE;
}

static wasm_perf_clock clock_of(const cli_request *request) {
  wasm_perf_clock clock = request->options.clock;
  if (clock == WASM_PERF_CLOCK_AUTO)
    clock = request->options.memory ? WASM_PERF_CLOCK_NONE : WASM_PERF_CLOCK_SAMPLED;
  return clock;
}

static void hand_over(const cli_request *request) {
  enum { NS_PER_MS = 1000000 };
  const char *name = request->module_path;
  char *settings = cli_session_settings(request, clock_of(request), "");
  char *output = cli_output_path(request);
  if (settings && output)
    host_record(settings, strlen(settings), output, strlen(output), name, strlen(name),
                (uint32_t)(request->duration / NS_PER_MS), request->open);
  free(output);
  free(settings);
}

int cli_request_main(const cli_command *command, int argc, char **argv) {
  cli_request request = {0};
  int status = cli_request_parse(&request, command, argc, argv);
  if (status == CLI_PROCEED)
    status = cli_request_check(&request);
  if (status == CLI_PROCEED)
    status = check(&request);
  if (status == CLI_PROCEED) {
    hand_over(&request);
    status = CLI_EXIT_SUCCESS;
  }
  cli_request_clear(&request);
  return status;
}
