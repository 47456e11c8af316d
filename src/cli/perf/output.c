#include "cli/perf/output.h"

#include <stdlib.h>
#include <string.h>

#include "cli/common/file.h"
#include "cli/perf/profiles.h"
#include "cli/perf/view.h"

/* The output's name where none was given: app.wasm -> app.wperf. */
static char *default_output(const cli_request *request) {
  const char *name = cli_basename(request->module_path);
  size_t size = strlen(name) - (cli_ends_with(name, ".wasm") ? strlen(".wasm") : 0);
  const char *extension = request->format ? request->format->extension : "wperf";
  return cli_text("%.*s.%s", (int)size, name, extension);
}

char *cli_output_path(const cli_request *request) {
  return request->output ? cli_text("%s", request->output) : default_output(request);
}

bool cli_output_write_to(const cli_request *request, wasm_perf_profile *profile, const char *path) {
  /* A .wperf keeps names and times as they are; wasm-perf report demangles and compensates. */
  if (request->format) {
    cli_profile_show_memory(profile);
    wasm_perf_profile_compensate(profile);
    if (!cli_profile_demangle(profile))
      return false;
  }
  wasm_perf_report_options options = {.title = cli_basename(request->module_path)};
  return cli_profile_write(profile, request->format, &options, path);
}

bool cli_output_write(const cli_request *request, wasm_perf_profile *profile) {
  char *path = cli_output_path(request);
  bool written = cli_output_write_to(request, profile, path);
  free(path);
  return written;
}
