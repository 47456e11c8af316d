/* What documents of all kinds make of a command's texts. */
#ifndef WI_CLI_DOCGEN_TEXT_H_
#define WI_CLI_DOCGEN_TEXT_H_

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

/* The bytes of `help` that fit into a list of completions: what stands before its first stop. */
int document_brief(const char *help);

/* A character that means something where text is put, and how it is written there. */
typedef struct document_escape {
  char character; /* 0 ends a list */
  const char *written;
} document_escape;

/* Writes text with what must be escaped in it. */
void document_put(FILE *stream, const char *text, size_t size, const document_escape *escapes);

typedef struct document_name {
  char text[64];
} document_name;

/* The words of a name as one, with `joint` between them: '_' for shells, '-' for pages. */
document_name document_joined(const char *name, char joint);

/* Copies the template at `path` and puts the program's name for NAME, its identifier for IDENT. */
bool document_template(FILE *stream, const char *path, const char *name);

#endif /* WI_CLI_DOCGEN_TEXT_H_ */
