/* cli/perf/show/open.h for the npm package. */
#include "cli/perf/show/open.h"

/* Does nothing, as the host opens the report. */
void cli_browser_open(const char *path) {
  (void)path;
}
