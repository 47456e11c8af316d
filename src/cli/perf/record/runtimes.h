/* Programs that run JavaScript, and how each is told to load js/node/register.mjs first. */
#ifndef WI_CLI_PERF_RECORD_RUNTIMES_H_
#define WI_CLI_PERF_RECORD_RUNTIMES_H_

#include <stdbool.h>

#include "cli/perf/common.h"

/* By variables, which child processes inherit: of Node.js and Bun. False: memory ran out. */
bool cli_runtimes_set_environment(const char *share_folder);

/* Whether the command of these words, ended by NULL, lets us in; prints on stderr what to add where
 * not. */
bool cli_runtimes_permit(char *const *words);

/*
 * Adds the words of the command to the list, with what Deno wants among them. Node.js with
 * permissions may also read the profiler and use its folder: without them the program would not
 * start.
 */
void cli_runtimes_add_words(cli_list *list, char *const *words, const char *folder,
                            const char *share_folder);

#endif /* WI_CLI_PERF_RECORD_RUNTIMES_H_ */
