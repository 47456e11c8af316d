/* Properties of the terminal on standard output. */
#ifndef WI_CLI_PERF_SHOW_TERMINAL_H_
#define WI_CLI_PERF_SHOW_TERMINAL_H_

#include <stdbool.h>
#include <stdint.h>

/* Whether standard output is a terminal with colours: not dumb, and NO_COLOR is not set. */
bool cli_terminal_has_color(void);

/* Width of the terminal in columns, or the value of COLUMNS; 0 means unlimited. */
uint32_t cli_terminal_width(void);

#endif /* WI_CLI_PERF_SHOW_TERMINAL_H_ */
