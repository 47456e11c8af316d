/* cli/perf/show/viewer.h for the npm package, whose parser refuses the command. */
#include "cli/perf/show/viewer.h"

bool cli_viewer_show(const char *path, bool starts_browser) {
  (void)path;
  (void)starts_browser;
  return false;
}
