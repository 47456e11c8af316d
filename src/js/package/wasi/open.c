/* cli/perf/show/open.h for a host in JavaScript. */
#include "cli/perf/show/open.h"

/* The host does that itself. */
void cli_browser_open(const char *path) {
  (void)path;
}
