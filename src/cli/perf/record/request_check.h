/* Which options of a request go together, and which clock follows from them. */
#ifndef WI_CLI_PERF_RECORD_REQUEST_CHECK_H_
#define WI_CLI_PERF_RECORD_REQUEST_CHECK_H_

#include "cli/perf/record/request.h"

/*
 * After cli_request_parse: sets the clock that --deterministic, --guest and --times ask for. Returns
 * CLI_PROCEED, or CLI_EXIT_USAGE after an error, which it has printed on stderr.
 */
int cli_request_check(cli_request *request);

#endif /* WI_CLI_PERF_RECORD_REQUEST_CHECK_H_ */
