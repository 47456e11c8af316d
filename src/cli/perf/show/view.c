#include "cli/perf/show/view.h"

#include "cli/perf/input/symbols.h"

enum {
  OPTION_SHOW = CLI_OPTIONS_VIEW,
  OPTION_NO_DEMANGLE,
  OPTION_SYMBOLS,
  OPTION_VALUE,
  OPTION_INLINED
};

/* In the order of wasm_perf_value. */
static bool value_choice(size_t index, cli_choice *choice) {
  static const cli_choice choices[] = {[WASM_PERF_VALUE_SELF] = {"self", "what the clock measured"},
                                       [WASM_PERF_VALUE_CALLS] = {"calls", "call counts"},
#define MEASURE(id, name, quantity, where, nature, what) {name, what},
                                       WASM_PERF_MEASURES(MEASURE)
#undef MEASURE
  };
  return cli_choice_at(choices, sizeof choices / sizeof *choices, index, choice);
}

static bool show_choice(size_t index, cli_choice *choice) {
  static const cli_choice choices[] = {
      [CLI_SHOW_WASM] = {"wasm", "only WebAssembly: no JavaScript, imports or garbage collection"},
      [CLI_SHOW_NO_HOST] = {"no-host", "no imports, which --host-calls recorded, and no time in "
                                       "them"},
      [CLI_SHOW_WAITING] = {"waiting", "also the time that threads wait or are idle"},
      [CLI_SHOW_HOOKS] = {"hooks", "times as measured: the cost of the hooks is not subtracted"},
  };
  return cli_choice_at(choices, CLI_SHOW_COUNT, index, choice);
}

static const cli_option options[] = {
    CLI_SYMBOLS_OPTION(OPTION_SYMBOLS),
    {OPTION_VALUE,
     "value",
     {.kind = CLI_VALUE_CHOICE,
      .label = "NAME",
      .choices = value_choice,
      .listed_by = "wasm-perf help values"},
     "value to show, for example calls or live_bytes; wasm-perf help values lists them. Default: "
     "the clock's, or peak_bytes for a profile of memory alone"},
    {OPTION_SHOW, "show", CLI_CHOICE("WHAT", show_choice),
     "change what is shown; may be repeated:"},
    {OPTION_INLINED, "inlined", CLI_NO_VALUE,
     "show inlined functions as frames; needs a profile of record --lines --clock instructions"},
    {OPTION_NO_DEMANGLE, "no-demangle", CLI_NO_VALUE, "show mangled names"},
    {0}};

const cli_option_group cli_view_options = {"What is shown", options};

void cli_view_option(cli_view *view, const cli_parser *parser, int option) {
  switch (option) {
  case OPTION_SHOW: view->shows[parser->choice] = true; break;
  case OPTION_VALUE: view->value = (unsigned)parser->choice + 1; break;
  case OPTION_INLINED: view->shows_inlined = true; break;
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

wasm_perf_value cli_default_value(const wasm_perf_profile *profile) {
  static const wasm_perf_measure best[] = {
      WASM_PERF_MEASURE_PEAK_BYTES, WASM_PERF_MEASURE_ALLOCATED_BYTES, WASM_PERF_MEASURE_GC_BYTES,
      WASM_PERF_MEASURE_GROWN_PAGES};
  if (!profile->follows_memory || profile->header.clock != WASM_PERF_CLOCK_NONE)
    return WASM_PERF_VALUE_SELF;
  for (size_t i = 0; i < sizeof best / sizeof *best; i++)
    if (wasm_perf_measure_total(profile, best[i]) > 0)
      return WASM_PERF_VALUE_MEASURES + best[i];
  return WASM_PERF_VALUE_SELF;
}

/* False, with a message, if the profile does not have the requested value. */
static bool choose_value(const wasm_perf_profile *profile, const char *path, const cli_view *view,
                         wasm_perf_value *value) {
  *value = view->value == 0 ? cli_default_value(profile) : (wasm_perf_value)(view->value - 1);
  return *value < WASM_PERF_VALUE_MEASURES || profile->follows_memory ||
         cli_error(path, "it has no memory data: record it with --memory") == CLI_PROCEED;
}

bool cli_values_match(const cli_shown *before, const cli_shown *shown) {
  const wi_view views[] = {wi_view_of(before->profile, before->value),
                           wi_view_of(shown->profile, shown->value)};
  return before->value == shown->value ||
         cli_error(shown->path,
                   "it shows %s, not %s as before; choose a value that all have with --value",
                   wi_view_words(&views[1]).text, wi_view_words(&views[0]).text) == CLI_PROCEED;
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

bool cli_profile_hide(wasm_perf_profile *profile, const cli_view *view, cli_failure *failure) {
  const unsigned waiting =
      WASM_PERF_KIND_BIT(WASM_PERF_KIND_IDLE) | WASM_PERF_KIND_BIT(WASM_PERF_KIND_WAIT);
  unsigned kinds = view->shows[CLI_SHOW_NO_HOST] ? WASM_PERF_KIND_BIT(WASM_PERF_KIND_IMPORT) : 0;
  if (view->shows[CLI_SHOW_WASM])
    kinds = WASM_PERF_KIND_BIT(WASM_PERF_KIND_COUNT) - 1 - waiting -
            WASM_PERF_KIND_BIT(WASM_PERF_KIND_WASM);
  if (!view->shows[CLI_SHOW_WAITING] && profile->kind_count > 0)
    kinds |= waiting;
  if (profile->kind_count > 0)
    kinds |= WASM_PERF_KIND_BIT(WASM_PERF_KIND_PROFILER);
  return kinds == 0 || wasm_perf_profile_hide(profile, kinds) || cli_fail_memory(failure);
}

static bool adjust(wasm_perf_profile *profile, const char *path, const cli_view *view) {
  if (!view->shows[CLI_SHOW_HOOKS])
    wasm_perf_profile_compensate(profile);
  if (!view->raw_names && !cli_profile_demangle(profile, NULL))
    return false;
  if (view->shows_inlined && !show_inlined(profile, path))
    return false;
  return cli_profile_hide(profile, view, NULL);
}

bool cli_profile_prepare(wasm_perf_profile *profile, const char *path, const cli_view *view,
                         wasm_perf_value *value) {
  return give_names(profile, path, view) && choose_value(profile, path, view, value) &&
         adjust(profile, path, view);
}

wasm_perf_profile *cli_profile_load(const char *path, const cli_view *view,
                                    wasm_perf_value *value) {
  wasm_perf_profile *profile = cli_profile_read(path, NULL);
  if (!profile || cli_profile_prepare(profile, path, view, value))
    return profile;
  wasm_perf_profile_free(profile);
  return NULL;
}

int cli_format_unknown(const cli_command *command, const char *output) {
  return cli_usage_error(command->name, "cannot tell the format from the name '%s'; give --format",
                         output);
}
