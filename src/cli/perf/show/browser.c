#include "cli/perf/show/browser.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "cli/common/message.h"
#include "cli/common/process.h"
#include "cli/perf/common.h"

void cli_browser_open(const char *address) {
  static const char *const openers[] = {"xdg-open", "open"};
  char *opener = NULL;
  for (size_t i = 0; i < sizeof openers / sizeof *openers && !opener; i++)
    opener = cli_executable_find(openers[i]);
  if (!opener)
    cli_message("wasm-perf: no browser was found: open that address in one");
  else if (!wi_process_start(opener, (char *const[]){opener, (char *)address, NULL}))
    cli_error(opener, "%s", strerror(errno));
  free(opener);
}
