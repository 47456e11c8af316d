/* Completion for zsh. */
#ifndef WI_CLI_DOCGEN_ZSH_H_
#define WI_CLI_DOCGEN_ZSH_H_

#include <stdbool.h>
#include <stdio.h>

#include "cli/common/options.h"

/*
 * Writes the completion of a program with its commands. `folder` holds the templates. False: it has
 * none for zsh.
 */
bool document_zsh(FILE *stream, const cli_command *program, const char *folder);

#endif /* WI_CLI_DOCGEN_ZSH_H_ */
