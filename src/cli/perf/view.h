/* What the commands that show profiles let their users choose. */
#ifndef WI_CLI_PERF_VIEW_H_
#define WI_CLI_PERF_VIEW_H_

#include "cli/common/parser.h"
#include "cli/perf/profiles.h"

#define CLI_VIEW_MODULES 2 /* no command shows more profiles */

typedef struct cli_view {
  bool raw_names;
  bool hides_host;
  bool keeps_hook_time;
  const char *modules[CLI_VIEW_MODULES]; /* for names; borrowed from argv */
  size_t module_count;
} cli_view;

extern const cli_option_group cli_view_options;

/* Carries out `option`, which `parser` has just given; one that is not of this group does nothing.
 */
void cli_view_option(cli_view *view, const cli_parser *parser, int option);

/*
 * Reads a .wperf file as above and changes it as `view` asks: gives it names, takes the hooks' time
 * out, demangles, hides the host. NULL on failure, which it has printed on stderr.
 */
wasm_perf_profile *cli_profile_load(const char *path, const cli_view *view);

#endif /* WI_CLI_PERF_VIEW_H_ */
