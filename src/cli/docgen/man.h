/* Generates man pages. */
#ifndef WI_CLI_DOCGEN_MAN_H_
#define WI_CLI_DOCGEN_MAN_H_

#include <stdio.h>

#include "cli/common/options.h"

/* Writes an mdoc page of section 1. `pages` lists all pages, for references; NULL-terminated. */
void document_man(FILE *stream, const cli_command *command, const cli_command *const *pages,
                  const char *date);

#endif /* WI_CLI_DOCGEN_MAN_H_ */
