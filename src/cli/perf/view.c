#include "cli/perf/view.h"

#include "cli/perf/symbols.h"

enum {
  OPTION_HIDE_HOST = CLI_OPTIONS_VIEW,
  OPTION_KEEP_HOOK_TIME,
  OPTION_NO_DEMANGLE,
  OPTION_SYMBOLS,
  OPTION_HOST
};

enum { HOST_SHOW, HOST_HIDE };

static bool host_choice(size_t index, cli_choice *choice) {
  static const cli_choice choices[] = {[HOST_SHOW] = {"show", NULL}, [HOST_HIDE] = {"hide", NULL}};
  return cli_choice_at(choices, sizeof choices / sizeof *choices, index, choice);
}

static const cli_option options[] = {
    CLI_SYMBOLS_OPTION(OPTION_SYMBOLS),
    {OPTION_HIDE_HOST, "hide-host", CLI_NO_VALUE,
     "leave out the calls of the host that wasm-instrument --host-calls gave frames of their own, "
     "and their time"},
    {OPTION_KEEP_HOOK_TIME, "keep-hook-time", CLI_NO_VALUE,
     "leave the time in that the hooks themselves took"},
    {OPTION_NO_DEMANGLE, "no-demangle", CLI_NO_VALUE, "leave mangled names as they are"},
    {OPTION_HOST, "host", CLI_CHOICE(NULL, host_choice), NULL},
    {OPTION_KEEP_HOOK_TIME, "raw", CLI_NO_VALUE, NULL},
    {OPTION_SYMBOLS, "module", CLI_FILE("FILE", NULL), NULL},
    {0}};

const cli_option_group cli_view_options = {"What is shown", options};

void cli_view_option(cli_view *view, const cli_parser *parser, int option) {
  switch (option) {
  case OPTION_HIDE_HOST: view->hides_host = true; break;
  case OPTION_HOST: view->hides_host = parser->choice == HOST_HIDE; break;
  case OPTION_KEEP_HOOK_TIME: view->keeps_hook_time = true; break;
  case OPTION_NO_DEMANGLE: view->raw_names = true; break;
  case OPTION_SYMBOLS: cli_list_add(&view->symbols, cli_text("%s", parser->value)); break;
  default: break;
  }
}

void cli_view_clear(cli_view *view) {
  cli_list_clear(&view->symbols);
}

static bool give_names(wasm_perf_profile *profile, const char *path, const cli_view *view) {
  if (view->symbols.count == 0)
    cli_symbols_find(profile, path);
  return cli_symbols_apply(profile, path, &view->symbols);
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
  if (!profile || (give_names(profile, path, view) && adjust(profile, view)))
    return profile;
  wasm_perf_profile_free(profile);
  return NULL;
}
