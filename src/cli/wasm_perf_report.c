/* wasm-perf report: shows a profile. */
#include "cli/wasm_perf_cli.h"

#include <errno.h>
#include <getopt.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli/file.h"
#include "cli/terminal.h"

/* ---- Shared with wasm-perf record ---------------------------------------- */

const wasm_perf_exporter *cli_exporter_for_path(const char *path) {
  if (cli_ends_with(path, ".txt"))
    return wasm_perf_exporter_find("folded");
  const char *dot = strrchr(cli_basename(path), '.');
  for (const wasm_perf_exporter *exporter = wasm_perf_exporters; dot && exporter->name; ++exporter)
    if (exporter->extension && strcmp(exporter->extension, dot + 1) == 0)
      return exporter;
  return NULL;
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

bool cli_profile_write(const wasm_perf_profile *profile, const wasm_perf_exporter *exporter,
                       const wasm_perf_report_options *options, const char *path) {
  wi_file_output output;
  if (wi_file_output_open(&output, path)) {
    bool complete = exporter ? exporter->write(profile, options, output.stream)
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

/* Strings are borrowed from argv. */
typedef struct report_request {
  const char *command;
  const char *format; /* NULL: by the output's name */
  const char *input;  /* "-": stdin */
  const char *output; /* "-": stdout */
  cli_view view;
  const wasm_perf_exporter *exporter;
} report_request;

enum { OPTION_NO_DEMANGLE = 256, OPTION_HOST, OPTION_RAW };

static const struct option long_options[] = {
    {"format", required_argument, NULL, 'f'},
    {"output", required_argument, NULL, 'o'},
    {"host", required_argument, NULL, OPTION_HOST},
    {"raw", no_argument, NULL, OPTION_RAW},
    {"no-demangle", no_argument, NULL, OPTION_NO_DEMANGLE},
    {"help", no_argument, NULL, 'h'},
    {0},
};

static int print_help(void) {
  puts("Usage: wasm-perf report [OPTION]... FILE.wperf\n"
       "Shows a profile; '-' reads it from stdin.\n"
       "\n"
       "  -f, --format NAME  how to show it; default: what the name of the output asks for,\n"
       "                     else top\n"
       "  -o, --output FILE  write to FILE instead of stdout\n"
       "      --host show|hide   hide: leave out the calls of the host that wasm-instrument\n"
       "                     --host-calls gave frames of their own, and their time\n"
       "      --raw          leave the time in that the hooks themselves took\n"
       "      --no-demangle  leave mangled names as they are\n"
       "  -h, --help         print this help\n"
       "\n"
       "Formats:");
  for (const wasm_perf_exporter *exporter = wasm_perf_exporters; exporter->name; ++exporter)
    printf("  %-12s %s\n", exporter->name, exporter->summary);
  return 0;
}

static int choose_exporter(report_request *request) {
  if (request->format)
    request->exporter = wasm_perf_exporter_find(request->format);
  else if (strcmp(request->output, "-") == 0)
    request->exporter = wasm_perf_exporter_find("top");
  else
    request->exporter = cli_exporter_for_path(request->output);
  if (request->exporter)
    return CLI_PROCEED;
  if (request->format)
    return cli_usage_error(request->command, "unknown format '%s'", request->format);
  return cli_usage_error(request->command, "the name '%s' tells no format; give --format",
                         request->output);
}

static int parse(report_request *request, int argc, char **argv) {
  request->command = argv[0];
  int option, status = CLI_PROCEED;
  while ((option = getopt_long(argc, argv, "f:o:h", long_options, NULL)) != -1) {
    switch (option) {
    case 'f': request->format = optarg; break;
    case 'o': request->output = optarg; break;
    case OPTION_HOST:
      status =
          cli_choose(request->command, "--host", optarg, "show", "hide", &request->view.hides_host);
      break;
    case OPTION_RAW: request->view.keeps_hook_time = true; break;
    case OPTION_NO_DEMANGLE: request->view.raw_names = true; break;
    case 'h': return print_help();
    default: return cli_usage_hint(request->command);
    }
    if (status != CLI_PROCEED)
      return status;
  }
  if (argc - optind != 1)
    return cli_usage_error(request->command, "one profile is needed, not %d", argc - optind);
  request->input = argv[optind];
  return choose_exporter(request);
}

int cli_report_main(int argc, char **argv) {
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
  bool done = profile && cli_profile_write(profile, request.exporter, &options, request.output);
  wasm_perf_profile_free(profile);
  return done ? 0 : CLI_EXIT_FAILURE;
}
