/* Suggestions for misspelt and removed words. */
#ifndef WI_CLI_COMMON_NEAREST_H_
#define WI_CLI_COMMON_NEAREST_H_

#include "cli/common/options.h"

/* The name of the nearest command of `program`, or NULL. */
const char *cli_nearest_command(const cli_command *program, const char *word);

/* The name of the option nearest to `word`, which starts with "--"; or NULL. */
const char *cli_nearest_option(const cli_command *command, const char *word);

/* What replaces the removed `word`, a command or "--OPTION[=VALUE]" (removed.def); or NULL. */
const char *cli_replacement(const char *word);

#endif /* WI_CLI_COMMON_NEAREST_H_ */
