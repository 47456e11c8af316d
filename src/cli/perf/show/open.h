/* Showing something in a browser. */
#ifndef WI_CLI_PERF_SHOW_OPEN_H_
#define WI_CLI_PERF_SHOW_OPEN_H_

#include <stdbool.h>
#include <stdint.h>

#include "cli/perf/show/view.h"

/* A page that shows profiles. A page on the web fetches the profile from this machine. */
typedef struct cli_open_target {
  const char *name;
  const char *help;
  const char *format;
  const char *origin; /* of a page on the web; NULL for our own file */
  const char *prefix; /* the page's URL up to the profile's URL */
} cli_open_target;

#define CLI_OPEN_EMPTY "wasm-perf.html" /* default output without a profile */

/* What to show, and where. Strings are borrowed. */
typedef struct cli_open_request {
  const char *input; /* "-": stdin; NULL: the page without a profile */
  const cli_open_target *target;
  const char *output; /* NULL if named after the input */
  bool no_browser;
  uint64_t wait; /* nanoseconds */
  cli_view view;
} cli_open_request;

/*
 * Shows a profile, a report or the page without a profile, prints the address, and waits for a page on the web to fetch it. False
 * on failure, after an error on stderr.
 */
bool cli_open_show(const cli_open_request *request);

/* Opens an address or a file in the browser. If there is none, prints that, which is not an error. */
void cli_browser_open(const char *address);

#endif /* WI_CLI_PERF_SHOW_OPEN_H_ */
