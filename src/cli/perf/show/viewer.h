/* The page without a profile, for files of any profiler. */
#ifndef WI_CLI_PERF_SHOW_VIEWER_H_
#define WI_CLI_PERF_SHOW_VIEWER_H_

#include <stdbool.h>

/* Writes the page to `path`, prints its path and opens it. False on failure, after an error on stderr. */
bool cli_viewer_show(const char *path, bool starts_browser);

#endif /* WI_CLI_PERF_SHOW_VIEWER_H_ */
