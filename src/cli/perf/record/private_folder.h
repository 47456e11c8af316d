/* A folder for the module and the profile of a run, out of the program's reach. */
#ifndef WI_CLI_PERF_RECORD_PRIVATE_FOLDER_H_
#define WI_CLI_PERF_RECORD_PRIVATE_FOLDER_H_

#include <stdbool.h>

#include "cli/common/cleanup.h"
#include "cli/perf/common.h"

/*
 * Makes a folder of mode 0700 in $TMPDIR. If `dirs` ("HOST[::GUEST]") gives the program access to
 * that, the folder is made in another place for temporary files. If the program has access to all
 * of these, it is made in $TMPDIR after a warning on stderr. False on failure;
 * `failure` says why (cli_fail).
 */
bool cli_private_folder(wi_temporary *folder, const cli_list *dirs, cli_failure *failure);

#endif /* WI_CLI_PERF_RECORD_PRIVATE_FOLDER_H_ */
