/* Generates completion for fish. */
#ifndef WI_CLI_DOCGEN_FISH_H_
#define WI_CLI_DOCGEN_FISH_H_

#include <stdbool.h>
#include <stdio.h>

#include "cli/common/options.h"

/*
 * Writes the completion of a program and its commands. `folder` contains the templates. Returns
 * false if the template for fish cannot be read.
 */
bool document_fish(FILE *stream, const cli_command *program, const char *folder);

#endif /* WI_CLI_DOCGEN_FISH_H_ */
