#include "cli/perf/record/output.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "cli/common/file.h"
#include "cli/common/file_system.h"
#include "cli/perf/input/profiles.h"
#include "cli/perf/input/texts.h"
#include "cli/perf/show/open.h"
#include "cli/perf/show/view.h"

/* The size of a module's or script's name without its extension. */
static size_t stem_size(const cli_request *request, const char *name) {
  const char *dot = strrchr(name, '.');
  bool is_known = request->command_words || cli_ends_with(name, ".wasm");
  return is_known && dot && dot != name ? (size_t)(dot - name) : strlen(name);
}

/* The output's name without -o: app.mjs -> app.html; tools for coverage expect another name. */
static char *default_output(const cli_request *request) {
  if (request->options.count_branches)
    return cli_text("coverage.%s", request->format->extension);
  const char *name = wi_path_name(request->module_path);
  size_t size = stem_size(request, name);
  const char *extension = request->format ? request->format->extension : "wperf";
  return cli_text("%.*s.%s", (int)size, name, extension);
}

char *cli_output_path(const cli_request *request) {
  return request->output ? cli_text("%s", request->output) : default_output(request);
}

/* Devices and pipes are not opened for a check: it could disturb their readers. */
static bool is_special(const char *path) {
  struct stat status;
  return strcmp(path, "-") == 0 || (stat(path, &status) == 0 && !S_ISREG(status.st_mode));
}

bool cli_output_check(const cli_request *request) {
  if (request->take)
    return true;
  char *path = cli_output_path(request);
  wi_file_output output;
  bool done = is_special(path) || wi_file_output_open(&output, path);
  if (!done)
    cli_fail(request->failure, path, "%s", strerror(errno));
  else if (!is_special(path))
    wi_file_output_close(&output, false);
  free(path);
  return done;
}

char *cli_output_title(const cli_request *request, const wasm_perf_profile *profile) {
  const char *name = wi_path_name(request->module_path), *module = profile->facts.module;
  return request->command_words && module ? cli_text("%s: %s", name, module) : cli_text("%s", name);
}

/* Writes a profile that is ready for reports. Only a page of coverage has sources, of this folder. */
static bool write_report(const cli_request *request, wasm_perf_profile *profile,
                         const wasm_perf_report_format *format, wasm_perf_value value,
                         const char *path, cli_failure *failure) {
  char *title = cli_output_title(request, profile);
  wasm_perf_report_options options = {.title = title, .value = value};
  if (request->options.count_branches)
    options.source_folder = ".";
  cli_coverage_choose(&request->coverage, &options);
  bool written = cli_profile_write(profile, format, &options, path, failure);
  free(title);
  return written;
}

/* Adds the WebAssembly text of functions without source, which a page shows. */
static void add_texts(const cli_request *request, wasm_perf_profile *profile) {
  cli_list module = {0};
  if (!(request->format->traits & WASM_PERF_FORMAT_IS_PAGE))
    return;
  cli_list_add(&module, cli_text("%s", request->module_path));
  cli_texts_add(profile, request->module_path, &module);
  cli_list_clear(&module);
}

bool cli_output_write_to(const cli_request *request, wasm_perf_profile *profile, const char *path,
                         cli_failure *failure) {
  wasm_perf_value value = WASM_PERF_VALUE_SELF;
  /* A .wperf keeps raw names and times; wasm-perf report demangles and compensates them. */
  if (request->format) {
    const cli_view view = {0};
    value = cli_default_value(profile);
    wasm_perf_profile_compensate(profile);
    if (!cli_profile_demangle(profile, failure) || !cli_profile_hide(profile, &view, failure) ||
        !cli_profile_merge_small(profile, value, request->format, path, failure))
      return false;
    add_texts(request, profile);
  }
  return write_report(request, profile, request->format, value, path, failure);
}

#define COVERAGE_PAGE "coverage.html"

/* Coverage without -o is also a page. */
static bool has_coverage_page(const cli_request *request) {
  return request->options.count_branches && !request->output;
}

static bool write_coverage_page(const cli_request *request, wasm_perf_profile *profile) {
  const wasm_perf_report_format *format = wasm_perf_report_format_find("coverage_page");
  return !has_coverage_page(request) || write_report(request, profile, format, WASM_PERF_VALUE_SELF,
                                                     COVERAGE_PAGE, request->failure);
}

bool cli_output_write(const cli_request *request, wasm_perf_profile *profile) {
  if (request->take)
    return request->take(request->take_user, profile);
  char *path = cli_output_path(request);
  bool written = cli_output_write_to(request, profile, path, request->failure) &&
                 write_coverage_page(request, profile);
  const char *shown = has_coverage_page(request) ? COVERAGE_PAGE : path;
  char *absolute = written && request->open ? wi_file_absolute_path(shown) : NULL;
  if (absolute)
    cli_browser_open(absolute);
  free(absolute);
  free(path);
  return written;
}
