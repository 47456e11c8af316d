/* cli/perf/show/open.h for the npm package, which has no server. */
#include "cli/perf/show/open.h"

/* Does nothing, as the host opens the report. */
void cli_browser_open(const char *path) {
  (void)path;
}

/* Not called: the parser refuses the command. */
bool cli_open_show(const cli_open_request *request) {
  (void)request;
  return false;
}
