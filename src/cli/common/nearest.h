/* Suggestions for misspelt words. */
#ifndef WI_CLI_COMMON_NEAREST_H_
#define WI_CLI_COMMON_NEAREST_H_

#include "cli/common/options.h"

/* Larger than any distance that counts as near. */
#define CLI_FAR UINT32_MAX

/*
 * The edit distance, ignoring case, between `word` and `text`, or the nearest part of it; two
 * neighbours that are swapped are one edit. Returns CLI_FAR if it is more than a third of the word,
 * or if the word is too long.
 */
uint32_t cli_word_distance(const char *word, const char *text);
uint32_t cli_part_distance(const char *word, const char *text);

/* The name of the nearest command of `program`, or NULL. */
const char *cli_nearest_command(const cli_command *program, const char *word);

/* The name of the option nearest to `word`, which starts with "--"; or NULL. */
const char *cli_nearest_option(const cli_command *command, const char *word);

#endif /* WI_CLI_COMMON_NEAREST_H_ */
