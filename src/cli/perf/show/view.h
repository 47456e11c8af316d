/* Options shared by the commands that show profiles. */
#ifndef WI_CLI_PERF_SHOW_VIEW_H_
#define WI_CLI_PERF_SHOW_VIEW_H_

#include "cli/common/parser.h"
#include "cli/perf/input/profiles.h"
#include "profile/view.h"

/* The choices of --show. */
typedef enum cli_show {
  CLI_SHOW_WASM,
  CLI_SHOW_NO_HOST,
  CLI_SHOW_WAITING,
  CLI_SHOW_HOOKS,
  CLI_SHOW_COUNT
} cli_show;

/* Zero it before use; clear it afterwards. */
typedef struct cli_view {
  bool raw_names;
  bool shows_inlined;
  bool shows[CLI_SHOW_COUNT]; /* by --show */
  cli_list symbols;           /* paths given by --symbols */
  unsigned value;             /* index of the --value choice plus 1; 0 for the default */
} cli_view;

extern const cli_option_group cli_view_options;

/* Applies `option`, which `parser` has just returned; ignores options of other groups. */
void cli_view_option(cli_view *view, const cli_parser *parser, int option);

void cli_view_clear(cli_view *view);

/*
 * The value to show if no other is chosen: what the clock measured; without a clock, bytes at the
 * peak, allocated bytes, bytes of GC objects, or pages by which memories grew: the first that is not
 * 0.
 */
wasm_perf_value cli_default_value(const wasm_perf_profile *profile);

/* A profile of a file, and what is shown of it. */
typedef struct cli_shown {
  const wasm_perf_profile *profile;
  wasm_perf_value value;
  const char *path;
} cli_shown;

/* Whether both profiles show the same value. If not, prints how `shown` differs. */
bool cli_values_match(const cli_shown *before, const cli_shown *shown);

/*
 * Hides waiting, unless `view` shows it, and everything but WebAssembly, if `view` asks for that.
 * False if memory ran out; `failure` says so (cli_fail).
 */
bool cli_profile_hide(wasm_perf_profile *profile, const cli_view *view, cli_failure *failure);

/*
 * Applies `view` to the profile of a file: names functions, subtracts the hooks' time, demangles,
 * shows inlined functions, hides the host. Sets *value to what is to be shown of it. False on
 * failure, printed on stderr.
 */
bool cli_profile_prepare(wasm_perf_profile *profile, const char *path, const cli_view *view,
                         wasm_perf_value *value);

/* Reads a file and applies `view`. NULL on failure, printed on stderr. */
wasm_perf_profile *cli_profile_load(const char *path, const cli_view *view, wasm_perf_value *value);

/*
 * Defines the choices of --format for a table of formats, and what `--format svg` means: one of them
 * by its extension.
 */
#define CLI_FORMAT_CHOICES(formats)                                                                \
  static bool format_choice(size_t index, cli_choice *choice) {                                    \
    return cli_choice_set(choice, formats[index].name, formats[index].summary);                    \
  }                                                                                                \
  static bool format_extension(size_t index, cli_choice *choice) {                                 \
    const char *extension = formats[index].extension;                                              \
    return cli_choice_set(choice, extension ? extension : "", NULL);                               \
  }

/* --format, with these choices. `usual` is the one for stdout. */
#define CLI_FORMAT_OPTION(usual)                                                                   \
  {                                                                                                \
    'f', "format",                                                                                 \
        {.kind = CLI_VALUE_CHOICE,                                                                 \
         .label = "FORMAT",                                                                        \
         .choices = format_choice,                                                                 \
         .aliases = format_extension},                                                             \
        "format; default: by the name of the output, else " usual                                  \
  }

/* Says that a command cannot tell the format from the output's name. Returns the exit code. */
int cli_format_unknown(const cli_command *command, const char *output);

#endif /* WI_CLI_PERF_SHOW_VIEW_H_ */
