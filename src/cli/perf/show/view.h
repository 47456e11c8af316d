/* What the commands that show profiles let their users choose. */
#ifndef WI_CLI_PERF_SHOW_VIEW_H_
#define WI_CLI_PERF_SHOW_VIEW_H_

#include "cli/common/parser.h"
#include "cli/perf/input/profiles.h"

/* Zero it before; clear it after. */
typedef struct cli_view {
  bool raw_names;
  bool hides_host;
  bool wasm_only;
  bool shows_waiting;
  bool keeps_hook_time;
  bool shows_inlined;
  cli_list symbols; /* paths of files with names */
  unsigned value;   /* 0: what is best to show; else one of those of --value, plus 1 */
} cli_view;

extern const cli_option_group cli_view_options;

/* Carries out `option`, which `parser` has just given; one that is not of this group does
 * nothing. */
void cli_view_option(cli_view *view, const cli_parser *parser, int option);

void cli_view_clear(cli_view *view);

/*
 * Shows of a profile of memory without a clock what tells most: the peak, what was allocated, or by
 * how much memories grew.
 */
void cli_profile_show_memory(wasm_perf_profile *profile);

/*
 * Leaves out what is not to be shown: waiting, unless it is, and all but WebAssembly, if so. False
 * where memory is short, which it has printed on stderr.
 */
bool cli_profile_hide(wasm_perf_profile *profile, const cli_view *view);

/*
 * Reads a .wperf file as above and changes it as `view` asks: gives it names, shows another value,
 * takes the hooks' time out, demangles, shows inlined functions, hides the host. NULL on failure,
 * which it has printed on stderr.
 */
wasm_perf_profile *cli_profile_load(const char *path, const cli_view *view);

#endif /* WI_CLI_PERF_SHOW_VIEW_H_ */
