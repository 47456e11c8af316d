/* The table of engines in src/docs/hosts.md. */
#ifndef WI_CLI_DOCGEN_TARGETS_H_
#define WI_CLI_DOCGEN_TARGETS_H_

#include <stdio.h>

/* Writes a row in Markdown for each engine that --for knows. */
void document_targets(FILE *stream);

#endif /* WI_CLI_DOCGEN_TARGETS_H_ */
