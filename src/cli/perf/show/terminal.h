/* What standard output is, as far as reports for people care. */
#ifndef WI_CLI_PERF_SHOW_TERMINAL_H_
#define WI_CLI_PERF_SHOW_TERMINAL_H_

#include <stdbool.h>
#include <stdint.h>

/* Whether standard output shows colours: a terminal that is not dumb, and no NO_COLOR is set. */
bool cli_terminal_has_color(void);

/*
 * The columns of the terminal that standard output is, else what COLUMNS says of it; 0, which means
 * as many as lines need, where it is none.
 */
uint32_t cli_terminal_width(void);

#endif /* WI_CLI_PERF_SHOW_TERMINAL_H_ */
