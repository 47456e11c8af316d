/* --help, generated from a command's table. */
#ifndef WI_CLI_COMMON_HELP_H_
#define WI_CLI_COMMON_HELP_H_

#include "cli/common/options.h"

/*
 * Both return the exit code. If stdout cannot be written, they print an error and return a failure.
 */
int cli_help_print(const cli_command *command);
int cli_flush(const cli_command *command);

#endif /* WI_CLI_COMMON_HELP_H_ */
