/* --help, made of a command's table. */
#ifndef WI_CLI_COMMON_HELP_H_
#define WI_CLI_COMMON_HELP_H_

#include "cli/common/options.h"

/* Both return the exit code: a failure, printed on stderr, where stdout cannot be written. */
int cli_help_print(const cli_command *command);
int cli_flush(const cli_command *command);

#endif /* WI_CLI_COMMON_HELP_H_ */
