/* Suggestions for misspelt words. */
#ifndef WI_CLI_COMMON_NEAREST_H_
#define WI_CLI_COMMON_NEAREST_H_

#include "cli/common/options.h"

/* Larger than any distance that counts as near. */
#define CLI_FAR UINT32_MAX

/*
 * The edit distance, ignoring case, between `word` and `text`, or the nearest part of it. Returns
 * CLI_FAR if it is more than a third of the word, or if the word is too long.
 */
uint32_t cli_word_distance(const char *word, const char *text);
uint32_t cli_part_distance(const char *word, const char *text);

/* Reports an unknown command of `program`, in the name of `name`, and suggests the nearest one. */
int cli_unknown_command(const char *name, const cli_command *program, const char *word);

#endif /* WI_CLI_COMMON_NEAREST_H_ */
