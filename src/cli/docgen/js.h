/* The options of a command that are those of a function, too. */
#ifndef WI_CLI_DOCGEN_JS_H_
#define WI_CLI_DOCGEN_JS_H_

#include <stdio.h>

#include "cli/common/options.h"

/* A module that exports the names of the options. */
void document_js_options(FILE *stream, const cli_command *command);

/* TypeScript's types of them. */
void document_js_types(FILE *stream, const cli_command *command);

#endif /* WI_CLI_DOCGEN_JS_H_ */
