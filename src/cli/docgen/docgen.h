/* What the build makes of the commands' tables, beside the commands. */
#ifndef WI_CLI_DOCGEN_DOCGEN_H_
#define WI_CLI_DOCGEN_DOCGEN_H_

#include "cli/common/options.h"

/* ---- Text (text.c) -------------------------------------------------------- */

/* The bytes of `help` that fit into a list of completions: what stands before its first stop. */
int document_brief(const char *help);

/* Writes `text` with `before` in front of each byte that is in `special`. */
void document_escape(FILE *stream, const char *text, size_t size, const char *special,
                     const char *before);

/* Writes a name as part of an identifier: '-' and ' ' become '_'. */
void document_identifier(FILE *stream, const char *name);

/* Copies the template at `path` and puts the program's name for NAME, its identifier for IDENT. */
bool document_template(FILE *stream, const char *path, const char *name);

/* ---- Documents, each on `stream` --------------------------------------------- */

/* An mdoc page of section 1. `pages` are all there are, ended by NULL, to be referred to. */
void document_man(FILE *stream, const cli_command *command, const cli_command *const *pages,
                  const char *date);

/* Completion of a program with its commands. `folder` holds the templates. False: it has none. */
bool document_bash(FILE *stream, const cli_command *program, const char *folder);
bool document_fish(FILE *stream, const cli_command *program, const char *folder);
bool document_zsh(FILE *stream, const cli_command *program, const char *folder);

/* The options of a command that are those of a function, too: a module, and TypeScript's types. */
void document_js_options(FILE *stream, const cli_command *command);
void document_js_types(FILE *stream, const cli_command *command);

#endif /* WI_CLI_DOCGEN_DOCGEN_H_ */
