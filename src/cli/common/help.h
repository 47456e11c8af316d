/* --help, generated from a command's table. */
#ifndef WI_CLI_COMMON_HELP_H_
#define WI_CLI_COMMON_HELP_H_

#include "cli/common/options.h"

/*
 * All return the exit code. If stdout cannot be written, they print an error and return a failure.
 */

/* Prints the usage and the options that the command calls usual, or all if it calls none usual. */
int cli_help_print(const cli_command *command);
/* The same with all options. */
int cli_help_print_all(const cli_command *command);

/* Prints the choices, as a command's help would. */
int cli_help_choices(const cli_command *command, const char *heading, cli_choices *choices);
int cli_flush(const cli_command *command);

#endif /* WI_CLI_COMMON_HELP_H_ */
