#include "cli/perf/show/terminal.h"

#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include "cli/perf/common.h"

bool cli_terminal_has_color(void) {
  const char *type = cli_variable("TERM");
  return isatty(STDOUT_FILENO) && !cli_variable("NO_COLOR") && type && strcmp(type, "dumb") != 0;
}

uint32_t cli_terminal_width(void) {
  if (!isatty(STDOUT_FILENO))
    return 0;
  struct winsize size;
  if (ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) == 0 && size.ws_col > 0)
    return size.ws_col;
  const char *columns = cli_variable("COLUMNS");
  uint32_t width;
  return columns && cli_parse_number(columns, &width) ? width : 0;
}
