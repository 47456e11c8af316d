/* Generates completion for bash. */
#ifndef WI_CLI_DOCGEN_BASH_H_
#define WI_CLI_DOCGEN_BASH_H_

#include <stdbool.h>
#include <stdio.h>

#include "cli/common/options.h"

/*
 * Writes the completion of a program and its commands. `folder` contains the templates. Returns
 * false if the template for bash cannot be read.
 */
bool document_bash(FILE *stream, const cli_command *program, const char *folder);

#endif /* WI_CLI_DOCGEN_BASH_H_ */
