/* wasm-perf report: shows a profile. */
#include "cli/perf/perf.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli/common/file.h"
#include "cli/common/terminal.h"

/* ---- Shared with wasm-perf record ---------------------------------------- */

const wasm_perf_report_format *cli_format_for_path(const char *path) {
  if (cli_has_extension(path, "txt"))
    return wasm_perf_report_format_find("folded");
  const wasm_perf_report_format *found = NULL;
  for (const wasm_perf_report_format *format = wasm_perf_report_formats; format->name; ++format) {
    if (!format->extension || !cli_has_extension(path, format->extension))
      continue;
    if (!found || strlen(format->extension) > strlen(found->extension))
      found = format; /* an extension may end like another: .x.json and .json */
  }
  return found;
}

wasm_perf_profile *cli_profile_read(const char *path) {
  uint8_t *bytes;
  size_t size;
  if (!cli_file_read(path, &bytes, &size))
    return NULL;
  wasm_perf_error error;
  wasm_perf_profile *profile = wasm_perf_profile_parse(bytes, size, &error);
  if (!profile)
    cli_error(path, "offset 0x%" PRIx64 ": %s", error.offset, error.message);
  free(bytes);
  return profile;
}

bool cli_profile_write(const wasm_perf_profile *profile, const wasm_perf_report_format *format,
                       const wasm_perf_report_options *options, const char *path) {
  wi_file_output output;
  if (wi_file_output_open(&output, path)) {
    bool complete = format ? format->write(profile, options, output.stream)
                           : wasm_perf_profile_write(profile, output.stream);
    if (wi_file_output_close(&output, complete))
      return true;
  }
  cli_error(path, "%s", errno ? strerror(errno) : "cannot be written");
  return false;
}

bool cli_profile_demangle(wasm_perf_profile *profile) {
  char text[4096];
  for (uint32_t i = 0; i < profile->header.name_count; ++i) {
    const wasm_perf_name *name = &profile->names[i];
    if (wi_demangle(name->text, text, sizeof text) &&
        !wasm_perf_profile_set_name(profile, name->function, text)) {
      cli_error(NULL, "memory ran out");
      return false;
    }
  }
  return true;
}

static bool adjust(wasm_perf_profile *profile, const cli_view *view) {
  if (!view->keeps_hook_time)
    wasm_perf_profile_compensate(profile);
  if (!view->raw_names && !cli_profile_demangle(profile))
    return false;
  if (!view->hides_host || wasm_perf_profile_hide_host(profile))
    return true;
  cli_error(NULL, "memory ran out");
  return false;
}

wasm_perf_profile *cli_profile_load(const char *path, const cli_view *view) {
  wasm_perf_profile *profile = cli_profile_read(path);
  if (!profile || adjust(profile, view))
    return profile;
  wasm_perf_profile_free(profile);
  return NULL;
}

/* ---- The command --------------------------------------------------------- */

static int report_main(int argc, char **argv);

static bool format_choice(size_t index, cli_choice *choice) {
  const wasm_perf_report_format *format = &wasm_perf_report_formats[index];
  if (!format->name)
    return false;
  snprintf(choice->name, sizeof choice->name, "%s", format->name);
  choice->help = format->summary;
  return true;
}

static const cli_option report_options[] = {
    {'f', "format", CLI_CHOICE("FORMAT", format_choice),
     "how to show it; default: what the name of the output asks for, else top"},
    {'o', "output", CLI_FILE("FILE", NULL), "write to FILE instead of stdout"},
    {0}};

static const cli_option_group report_group = {NULL, report_options};

const cli_command cli_report_command = {
    .name = "wasm-perf report",
    .summary = "show a profile",
    .usages = (const char *const[]){"[OPTION]... FILE.wperf", NULL},
    .description = "Shows a profile; '-' reads it from standard input.",
    .operands = (const cli_operand[]){{.value = CLI_FILE("FILE.wperf", "wperf")}, {0}},
    .groups = (const cli_option_group *const[]){&report_group, &cli_view_options, &cli_help_options,
                                                NULL},
    .exit_codes = cli_report_exit_codes,
    .examples = (const cli_entry[]){{"wasm-perf report app.wperf", "a table of functions"},
                                    {"wasm-perf report app.wperf -o app.svg",
                                     "a flame graph; the name of the output chooses the format"},
                                    {"wasm-perf report --format folded app.wperf | sort",
                                     "one line for each stack"},
                                    {0}},
    .main = report_main,
};

/* Strings are borrowed from argv. */
typedef struct report_request {
  const char *input;  /* "-": stdin */
  const char *output; /* "-": stdout */
  cli_view view;
  const wasm_perf_report_format *format; /* NULL until chosen: by the output's name */
} report_request;

static int choose_format(report_request *request) {
  if (request->format)
    return CLI_PROCEED;
  if (strcmp(request->output, "-") == 0)
    request->format = wasm_perf_report_format_find("top");
  else
    request->format = cli_format_for_path(request->output);
  if (request->format)
    return CLI_PROCEED;
  return cli_usage_error(cli_report_command.name, "the name '%s' tells no format; give --format",
                         request->output);
}

static int parse(report_request *request, int argc, char **argv) {
  cli_parser parser;
  cli_parser_init(&parser, &cli_report_command, argc, argv);
  int option;
  while ((option = cli_parser_next(&parser)) != CLI_OPTIONS_END) {
    switch (option) {
    case 'f': request->format = &wasm_perf_report_formats[parser.choice]; break;
    case 'o': request->output = parser.value; break;
    default: cli_view_option(&request->view, &parser, option); break;
    }
  }
  if (parser.status != CLI_PROCEED)
    return parser.status;
  if (parser.operand_count != 1)
    return cli_usage_error(cli_report_command.name, "one profile is needed, not %zu",
                           parser.operand_count);
  request->input = parser.operands[0];
  return choose_format(request);
}

static int report_main(int argc, char **argv) {
  report_request request = {.output = "-"};
  int status = parse(&request, argc, argv);
  if (status != CLI_PROCEED)
    return status;
  wasm_perf_report_options options = {.title = cli_basename(request.input)};
  if (strcmp(request.output, "-") == 0) {
    options.width = cli_terminal_width();
    options.uses_color = cli_terminal_has_color();
  }
  wasm_perf_profile *profile = cli_profile_load(request.input, &request.view);
  bool done = profile && cli_profile_write(profile, request.format, &options, request.output);
  wasm_perf_profile_free(profile);
  return done ? 0 : CLI_EXIT_FAILURE;
}
