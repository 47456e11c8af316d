/* The folder that a run keeps its module and its profile in, out of the program's reach. */
#ifndef WI_CLI_PERF_RECORD_PRIVATE_FOLDER_H_
#define WI_CLI_PERF_RECORD_PRIVATE_FOLDER_H_

#include <stdbool.h>

#include "cli/common/cleanup.h"
#include "cli/perf/common.h"

/*
 * Makes a folder of mode 0700 in $TMPDIR or, where the program is given that or a folder above it
 * by one of `dirs` ("HOST[::GUEST]"), in another place for temporary files that it is not given.
 * Where it is given all of them, the folder is made all the same, and stderr says so. False on
 * failure, which it has printed on stderr.
 */
bool cli_private_folder(wi_temporary *folder, const cli_list *dirs);

#endif /* WI_CLI_PERF_RECORD_PRIVATE_FOLDER_H_ */
