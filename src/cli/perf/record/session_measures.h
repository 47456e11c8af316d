/* The measures of the User Timing API, as js/node/regions.mjs counted them. */
#ifndef WI_CLI_PERF_RECORD_SESSION_MEASURES_H_
#define WI_CLI_PERF_RECORD_SESSION_MEASURES_H_

#include "cli/perf/record/request.h"

/*
 * Calls `take` with each measure of the threads and processes that left files in `folder`. Those with
 * the same name are added up. False if that failed; `failure` says why
 * (cli_fail).
 */
bool cli_session_measures(const char *folder, cli_measure_taker *take, void *user,
                          cli_failure *failure);

#endif /* WI_CLI_PERF_RECORD_SESSION_MEASURES_H_ */
