#include "cli/perf/record/request_check.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "cli/perf/commands.h"
#include "cli/perf/common.h"

/* Each --dir must name a folder. */
static int check_dirs(const cli_request *request) {
  int error = 0;
  for (size_t i = 0; i < request->dirs.count && !error; i++) {
    const char *value = request->dirs.items[i], *guest = strstr(value, "::");
    char *host = cli_text("%.*s", guest ? (int)(guest - value) : (int)strlen(value), value);
    struct stat status;
    error = stat(host, &status) != 0 ? errno : S_ISDIR(status.st_mode) ? 0 : ENOTDIR;
    if (error)
      cli_fail(request->failure, host, "%s", strerror(error));
    free(host);
  }
  return error ? CLI_EXIT_FAILURE : CLI_PROCEED;
}

/* The engine only samples the modules: options about hooks have no effect, nor can it rename functions of a command's. */
static int check_no_hooks(cli_request *request) {
  bool names_command = request->command_words && request->symbols.count > 0;
  const char *option = request->hook_option ? request->hook_option
                       : names_command      ? "symbols"
                                            : NULL;
  if (!request->sample)
    return CLI_PROCEED;
  request->options.clock = WASM_PERF_CLOCK_SAMPLED;
  if (!option)
    return CLI_PROCEED;
  return cli_usage_error(cli_record_command.name, "--%s cannot be used with --no-hooks%s", option,
                         request->hook_option ? "" : " and " CLI_COMMAND_OPERAND);
}

/* Times differ between runs, so only counts are deterministic. */
static int check_deterministic(cli_request *request) {
  wasm_perf_clock *clock = &request->options.clock;
  if (!request->options.deterministic)
    return CLI_PROCEED;
  if (*clock == WASM_PERF_CLOCK_AUTO && !wi_options_replace_clock(&request->options))
    *clock = WASM_PERF_CLOCK_INSTRUCTIONS;
  if (*clock != WASM_PERF_CLOCK_SAMPLED && *clock != WASM_PERF_CLOCK_WALL)
    return CLI_PROCEED;
  return cli_usage_error(cli_record_command.name,
                         "--deterministic needs --clock instructions or none");
}

/* Samples show only the module's own functions. */
static int check_guest(cli_request *request) {
  wasm_perf_clock *clock = &request->options.clock;
  if (request->options.guest == WI_GUEST_OFF)
    return CLI_PROCEED;
  if (request->times_path || *clock == WASM_PERF_CLOCK_SAMPLED)
    return cli_usage_error(cli_record_command.name,
                           "samples cannot tell a guest's functions apart: "
                           "--guest needs --clock instructions or none");
  if (*clock == WASM_PERF_CLOCK_AUTO && !wi_options_replace_clock(&request->options))
    *clock = WASM_PERF_CLOCK_INSTRUCTIONS;
  return CLI_PROCEED;
}

/* The wall clock needs the linked runtime, which lacks these options. */
static int check_wall(const cli_request *request) {
  const wi_options *options = &request->options;
  const char *option = options->memory                  ? "--memory"
                       : options->count_blocks          ? "--lines"
                       : options->measure_calls         ? "--calls"
                       : options->guest != WI_GUEST_OFF ? "--guest"
                                                        : NULL;
  if (options->clock != WASM_PERF_CLOCK_WALL || !option)
    return CLI_PROCEED;
  return cli_usage_error(cli_record_command.name, "%s cannot be used with --clock wall", option);
}

/* --times needs a run that counts only calls. */
static int check_times(cli_request *request) {
  wasm_perf_clock *clock = &request->options.clock;
  if (!request->times_path)
    return CLI_PROCEED;
  if (*clock == WASM_PERF_CLOCK_AUTO)
    *clock = WASM_PERF_CLOCK_NONE;
  if (*clock == WASM_PERF_CLOCK_NONE)
    return CLI_PROCEED;
  return cli_usage_error(cli_record_command.name,
                         "--times reads the times of another run: use --clock none, not %s",
                         wasm_perf_clock_name(*clock));
}

/* These options need a single run. */
static int check_watch(const cli_request *request) {
  const char *option = request->listen         ? "--listen"
                       : request->duration > 0 ? "--duration"
                       : request->every > 0    ? "--every"
                                               : NULL;
  if (!option || (request->budget.whole == 0 && !request->compare))
    return CLI_PROCEED;
  return cli_usage_error(cli_record_command.name,
                         "%s runs the program several times, so it cannot be used with %s",
                         request->compare ? "--compare" : "--budget", option);
}

/* Refuses clocks and options that a command does not support. */
static int check_command(const cli_request *request) {
  wasm_perf_clock clock = request->options.clock;
  if (!request->command_words)
    return CLI_PROCEED;
  if (clock == WASM_PERF_CLOCK_WALL)
    return cli_usage_error(cli_record_command.name, "--clock wall cannot be used with a command");
  bool is_sampled = clock == WASM_PERF_CLOCK_SAMPLED ||
                    (clock == WASM_PERF_CLOCK_AUTO && !wi_options_replace_clock(&request->options));
  if (request->per_instance && is_sampled)
    return cli_usage_error(
        cli_record_command.name,
        "samples cannot tell instances apart: --per-instance needs --clock instructions or none");
  return CLI_PROCEED;
}

int cli_request_check(cli_request *request) {
  int status = check_no_hooks(request);
  if (status == CLI_PROCEED)
    status = check_deterministic(request);
  if (status == CLI_PROCEED)
    status = check_guest(request);
  if (status == CLI_PROCEED)
    status = check_command(request);
  if (status == CLI_PROCEED)
    status = check_wall(request);
  if (status == CLI_PROCEED)
    status = check_times(request);
  if (status == CLI_PROCEED)
    status = check_watch(request);
  return status == CLI_PROCEED ? check_dirs(request) : status;
}
