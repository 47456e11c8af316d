/* cli/perf/show/terminal.h for the npm package: the width is known only from COLUMNS. */
#include "cli/perf/show/terminal.h"

#include <string.h>
#include <unistd.h>

#include "cli/perf/common.h"

bool cli_terminal_has_color(void) {
  const char *type = cli_variable("TERM");
  return isatty(STDOUT_FILENO) && !cli_variable("NO_COLOR") && type && strcmp(type, "dumb") != 0;
}

uint32_t cli_terminal_width(void) {
  const char *columns = cli_variable("COLUMNS");
  uint32_t width;
  return isatty(STDOUT_FILENO) && columns && cli_parse_number(columns, &width) ? width : 0;
}
