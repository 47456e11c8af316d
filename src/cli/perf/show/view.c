#include "cli/perf/show/view.h"

#include "cli/perf/input/names_table.h"
#include "cli/perf/input/symbols.h"

enum {
  OPTION_HIDE_HOST = CLI_OPTIONS_VIEW,
  OPTION_KEEP_HOOK_TIME,
  OPTION_NO_DEMANGLE,
  OPTION_SYMBOLS,
  OPTION_SYMBOLS_REPORT,
  OPTION_VALUE,
  OPTION_LEAKS,
  OPTION_INLINED,
  OPTION_WASM_ONLY,
  OPTION_WAITING
};

/* Values of the clock, then the measures of memory. */
enum { VALUE_SELF, VALUE_CALLS, VALUE_MEASURES };

static bool value_choice(size_t index, cli_choice *choice) {
  static const cli_choice choices[] = {[VALUE_SELF] = {"self", "what the clock measured"},
                                       [VALUE_CALLS] = {"calls", "call counts"},
#define MEASURE(id, name, quantity, where, nature, what) {name, what},
                                       WASM_PERF_MEASURES(MEASURE)
#undef MEASURE
  };
  return cli_choice_at(choices, sizeof choices / sizeof *choices, index, choice);
}

static const cli_option options[] = {
    CLI_SYMBOLS_OPTION(OPTION_SYMBOLS),
    {OPTION_SYMBOLS_REPORT, "symbols-report", CLI_FILE("FILE", NULL),
     "also write the names to FILE: lines of function index, name, and confidence from 0 to 1"},
    {OPTION_VALUE, "value", CLI_CHOICE("NAME", value_choice),
     "value to show; default: the clock's, or peak_bytes for a profile of memory alone:"},
    {OPTION_LEAKS, "leaks", CLI_NO_VALUE,
     "the same as --value live_bytes: blocks that were not freed"},
    {OPTION_HIDE_HOST, "hide-host", CLI_NO_VALUE,
     "hide the frames of imports, which --host-calls recorded, and their time"},
    {OPTION_WASM_ONLY, "wasm-only", CLI_NO_VALUE,
     "show WebAssembly only: no JavaScript, imports or garbage collection"},
    {OPTION_WAITING, "waiting", CLI_NO_VALUE,
     "show the time that threads wait or are idle; hidden by default"},
    {OPTION_INLINED, "inlined", CLI_NO_VALUE,
     "show inlined functions as frames; needs a profile of record --lines --clock instructions"},
    {OPTION_KEEP_HOOK_TIME, "keep-hook-time", CLI_NO_VALUE,
     "do not subtract the cost of the hooks"},
    {OPTION_NO_DEMANGLE, "no-demangle", CLI_NO_VALUE, "show mangled names"},
    {0}};

const cli_option_group cli_view_options = {"What is shown", options};

void cli_view_option(cli_view *view, const cli_parser *parser, int option) {
  switch (option) {
  case OPTION_HIDE_HOST: view->hides_host = true; break;
  case OPTION_WASM_ONLY: view->wasm_only = true; break;
  case OPTION_WAITING: view->shows_waiting = true; break;
  case OPTION_KEEP_HOOK_TIME: view->keeps_hook_time = true; break;
  case OPTION_VALUE: view->value = (unsigned)parser->choice + 1; break;
  case OPTION_LEAKS: view->value = VALUE_MEASURES + WASM_PERF_MEASURE_LIVE_BYTES + 1; break;
  case OPTION_INLINED: view->shows_inlined = true; break;
  case OPTION_NO_DEMANGLE: view->raw_names = true; break;
  case OPTION_SYMBOLS: cli_list_add(&view->symbols, cli_text("%s", parser->value)); break;
  case OPTION_SYMBOLS_REPORT: view->symbols_report = parser->value; break;
  default: break;
  }
}

void cli_view_clear(cli_view *view) {
  cli_list_clear(&view->symbols);
}

static bool give_names(wasm_perf_profile *profile, const char *path, const cli_view *view) {
  if (view->symbols.count == 0)
    cli_symbols_find(profile, path);
  return cli_symbols_apply(profile, path, &view->symbols) &&
         (!view->symbols_report || cli_names_table_write(profile, view->symbols_report));
}

static void show_calls(wasm_perf_profile *profile) {
  profile->shows_calls = profile->header.clock != WASM_PERF_CLOCK_NONE;
  profile->header.clock = WASM_PERF_CLOCK_NONE;
  profile->header.ticks_per_second = profile->header.clock_read_count = 0;
}

void cli_profile_show_memory(wasm_perf_profile *profile) {
  static const wasm_perf_measure best[] = {
      WASM_PERF_MEASURE_PEAK_BYTES, WASM_PERF_MEASURE_ALLOCATED_BYTES, WASM_PERF_MEASURE_GC_BYTES,
      WASM_PERF_MEASURE_GROWN_PAGES};
  if (!profile->follows_memory || profile->header.clock != WASM_PERF_CLOCK_NONE)
    return;
  for (size_t i = 0; i < sizeof best / sizeof *best; i++)
    if (wasm_perf_measure_total(profile, best[i]) > 0) {
      wasm_perf_profile_show_measure(profile, best[i]);
      return;
    }
}

/* False, with a message, if the profile does not have the requested value. */
static bool choose_value(wasm_perf_profile *profile, const char *path, unsigned value) {
  if (value == 0) {
    cli_profile_show_memory(profile);
  } else if (value - 1 == VALUE_CALLS) {
    show_calls(profile);
  } else if (value - 1 >= VALUE_MEASURES) {
    if (!profile->follows_memory)
      return cli_error(path, "it has no memory data: record it with --memory") == CLI_PROCEED;
    wasm_perf_profile_show_measure(profile, (wasm_perf_measure)(value - 1 - VALUE_MEASURES));
  }
  return true;
}

/* False, with a message, if the profile does not know inlined functions. */
static bool show_inlined(wasm_perf_profile *profile, const char *path) {
  if (!wasm_perf_clock_is_counted(profile->header.clock) || profile->lines.count == 0)
    return cli_error(path, "it has no data on inlined functions: record it with --lines --clock "
                           "instructions, and give its module, with DWARF, with --symbols") ==
           CLI_PROCEED;
  if (!wasm_perf_profile_show_inlined(profile))
    return cli_error(path, "it has too many stacks to show inlined functions in") == CLI_PROCEED;
  return true;
}

bool cli_profile_hide(wasm_perf_profile *profile, const cli_view *view) {
  const unsigned waiting =
      WASM_PERF_KIND_BIT(WASM_PERF_KIND_IDLE) | WASM_PERF_KIND_BIT(WASM_PERF_KIND_WAIT);
  unsigned kinds = view->hides_host ? WASM_PERF_KIND_BIT(WASM_PERF_KIND_IMPORT) : 0;
  if (view->wasm_only)
    kinds = WASM_PERF_KIND_BIT(WASM_PERF_KIND_COUNT) - 1 - waiting -
            WASM_PERF_KIND_BIT(WASM_PERF_KIND_WASM);
  if (!view->shows_waiting && profile->kind_count > 0)
    kinds |= waiting;
  if (profile->kind_count > 0)
    kinds |= WASM_PERF_KIND_BIT(WASM_PERF_KIND_PROFILER);
  if (kinds == 0 || wasm_perf_profile_hide(profile, kinds))
    return true;
  cli_error(NULL, "out of memory");
  return false;
}

static bool adjust(wasm_perf_profile *profile, const char *path, const cli_view *view) {
  if (!view->keeps_hook_time)
    wasm_perf_profile_compensate(profile);
  if (!view->raw_names && !cli_profile_demangle(profile))
    return false;
  if (view->shows_inlined && !show_inlined(profile, path))
    return false;
  return cli_profile_hide(profile, view);
}

wasm_perf_profile *cli_profile_load(const char *path, const cli_view *view) {
  wasm_perf_profile *profile = cli_profile_read(path);
  if (!profile || (give_names(profile, path, view) && choose_value(profile, path, view->value) &&
                   adjust(profile, path, view)))
    return profile;
  wasm_perf_profile_free(profile);
  return NULL;
}
