/* Makes Node.js, Bun and Deno load js/node/register.mjs before a program. */
#ifndef WI_CLI_PERF_RECORD_RUNTIMES_H_
#define WI_CLI_PERF_RECORD_RUNTIMES_H_

#include <stdbool.h>

#include "cli/perf/common.h"

/*
 * Sets the environment variables of Node.js and Bun, which child processes inherit. False if memory
 * ran out.
 */
bool cli_runtimes_set_environment(const char *share_folder);

/*
 * Whether the command, ended by NULL, has the permissions that profiling needs. If not,
 * `failure` says which option to add (cli_fail).
 */
bool cli_runtimes_permit(char *const *words, cli_failure *failure);

/*
 * Appends the command to the list, with the options that Deno needs. If Node.js runs with
 * permissions, it also gets those to read the profiler and to use `folder`, without which the
 * program would not start.
 */
void cli_runtimes_add_words(cli_list *list, char *const *words, const char *folder,
                            const char *share_folder);

#endif /* WI_CLI_PERF_RECORD_RUNTIMES_H_ */
