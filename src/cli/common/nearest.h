/* What somebody may have meant who misspelt a word. */
#ifndef WI_CLI_COMMON_NEAREST_H_
#define WI_CLI_COMMON_NEAREST_H_

#include "cli/common/options.h"

/* More than any distance that is near. */
#define CLI_FAR UINT32_MAX

/*
 * How many letters have to be changed, added or taken away to make `word` of `text`, or of a part
 * of it, whatever their case; CLI_FAR where they are more than a third, or there are too many
 * letters to tell.
 */
uint32_t cli_word_distance(const char *word, const char *text);
uint32_t cli_part_distance(const char *word, const char *text);

/* Reports an unknown command of `program`, on behalf of `name`, with the one that is meant. */
int cli_unknown_command(const char *name, const cli_command *program, const char *word);

#endif /* WI_CLI_COMMON_NEAREST_H_ */
