/* Generates the JavaScript function's options from the command's. */
#ifndef WI_CLI_DOCGEN_JS_H_
#define WI_CLI_DOCGEN_JS_H_

#include <stdio.h>

#include "cli/common/options.h"

/* Writes a module that exports the names of the options. */
void document_js_options(FILE *stream, const cli_command *command);

/* Writes their TypeScript types. */
void document_js_types(FILE *stream, const cli_command *command);

#endif /* WI_CLI_DOCGEN_JS_H_ */
