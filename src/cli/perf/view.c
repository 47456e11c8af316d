#include "cli/perf/view.h"

enum { OPTION_HOST = CLI_OPTIONS_VIEW, OPTION_RAW, OPTION_NO_DEMANGLE };

enum { HOST_SHOW, HOST_HIDE };

static bool host_choice(size_t index, cli_choice *choice) {
  static const cli_choice choices[] = {
      [HOST_SHOW] = {"show", "the default"},
      [HOST_HIDE] = {"hide", "leave them out, and their time"},
  };
  return cli_choice_at(choices, sizeof choices / sizeof *choices, index, choice);
}

static const cli_option options[] = {
    {OPTION_HOST, "host", CLI_CHOICE(NULL, host_choice),
     "the calls of the host that wasm-instrument --host-calls gave frames of their own:"},
    {OPTION_RAW, "raw", CLI_NO_VALUE, "leave the time in that the hooks themselves took"},
    {OPTION_NO_DEMANGLE, "no-demangle", CLI_NO_VALUE, "leave mangled names as they are"},
    {0}};

const cli_option_group cli_view_options = {"What is shown", options};

void cli_view_option(cli_view *view, const cli_parser *parser, int option) {
  switch (option) {
  case OPTION_HOST: view->hides_host = parser->choice == HOST_HIDE; break;
  case OPTION_RAW: view->keeps_hook_time = true; break;
  case OPTION_NO_DEMANGLE: view->raw_names = true; break;
  default: break;
  }
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
