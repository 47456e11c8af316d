/* What documents of all kinds make of a command's texts. */
#ifndef WI_CLI_DOCGEN_TEXT_H_
#define WI_CLI_DOCGEN_TEXT_H_

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

/* The bytes of `help` that fit into a list of completions: what stands before its first stop. */
int document_brief(const char *help);

/* Writes `text` with `before` in front of each byte that is in `special`. */
void document_escape(FILE *stream, const char *text, size_t size, const char *special,
                     const char *before);

/* Writes a name as part of an identifier: '-' and ' ' become '_'. */
void document_identifier(FILE *stream, const char *name);

/* Copies the template at `path` and puts the program's name for NAME, its identifier for IDENT. */
bool document_template(FILE *stream, const char *path, const char *name);

#endif /* WI_CLI_DOCGEN_TEXT_H_ */
