/*
 * wasm-perf record for the npm package. Parses the command line with the native command's tables and
 * passes the request to the JavaScript host, which runs the program.
 */
#define _GNU_SOURCE /* open_memstream */

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli/perf/commands.h"
#include "cli/perf/record/output.h"
#include "cli/perf/record/request_check.h"
#include "cli/perf/record/run.h"
#include "cli/perf/record/session_settings.h"

/*
 * Makes the host run the command after '--', called `name`, in a session with these settings, and
 * write a report to `output`. `symbols` are paths of other builds, each ended by a line break. A
 * `duration` of 0 means no limit.
 */
__attribute__((import_module("host"), import_name("record"))) void
host_record(const char *settings, size_t settings_size, const char *output, size_t output_size,
            const char *name, size_t name_size, const char *symbols, size_t symbols_size,
            uint32_t duration_ms, bool open);

static wasm_perf_clock clock_of(const cli_request *request) {
  wasm_perf_clock clock = request->options.clock;
  if (clock == WASM_PERF_CLOCK_AUTO)
    clock = wi_options_replace_clock(&request->options) ? WASM_PERF_CLOCK_NONE
                                                        : WASM_PERF_CLOCK_SAMPLED;
  return clock;
}

/* The paths of --symbols, each ended by a line break; NULL without memory. The caller frees it. */
static char *symbols_text(const cli_request *request) {
  char *text = NULL;
  size_t size;
  FILE *stream = open_memstream(&text, &size);
  for (size_t i = 0; stream && i < request->symbols.count; i++)
    fprintf(stream, "%s\n", request->symbols.items[i]);
  if (stream && fclose(stream) == 0)
    return text;
  free(text);
  return NULL;
}

static void hand_over(const cli_request *request) {
  enum { NS_PER_MS = 1000000 };
  const char *name = request->module_path;
  char *settings = cli_session_settings(request, clock_of(request), "");
  char *output = cli_output_path(request);
  char *symbols = symbols_text(request);
  if (settings && output && symbols)
    host_record(settings, strlen(settings), output, strlen(output), name, strlen(name), symbols,
                strlen(symbols), (uint32_t)(request->duration / NS_PER_MS), request->open);
  free(symbols);
  free(output);
  free(settings);
}

int cli_record_main(int argc, char **argv) {
  cli_request request = {0};
  int status = cli_request_parse(&request, argc, argv);
  if (status == CLI_PROCEED && !request.command_words)
    status = cli_usage_error(cli_record_command.name,
                             "a WASI program needs %s; this one profiles JavaScript "
                             "programs: -- node app.mjs",
                             CLI_NATIVE);
  if (status == CLI_PROCEED)
    status = cli_request_check(&request);
  if (status == CLI_PROCEED && !cli_output_check(&request))
    status = CLI_EXIT_FAILURE;
  if (status == CLI_PROCEED) {
    hand_over(&request);
    status = CLI_EXIT_SUCCESS;
  }
  cli_request_clear(&request);
  return status;
}
