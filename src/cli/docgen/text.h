/* Text functions that all generated documents share. */
#ifndef WI_CLI_DOCGEN_TEXT_H_
#define WI_CLI_DOCGEN_TEXT_H_

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

/*
 * The length in bytes of the part of `help` that fits a list of completions: up to its first stop.
 */
int document_brief(const char *help);

/* A character with a special meaning in the output, and its escaped form. */
typedef struct document_escape {
  char character; /* 0 ends a list */
  const char *written;
} document_escape;

/* Writes text with its special characters escaped. */
void document_put(FILE *stream, const char *text, size_t size, const document_escape *escapes);

typedef struct document_name {
  char text[64];
} document_name;

/* The words of a name joined by `joint`: '_' for shells, '-' for pages. */
document_name document_joined(const char *name, char joint);

/*
 * Copies the template at `path`, with NAME replaced by the program's name and IDENT by its
 * identifier.
 */
bool document_template(FILE *stream, const char *path, const char *name);

#endif /* WI_CLI_DOCGEN_TEXT_H_ */
