/* The settings of a session for the JavaScript host. */
#ifndef WI_CLI_PERF_RECORD_SESSION_SETTINGS_H_
#define WI_CLI_PERF_RECORD_SESSION_SETTINGS_H_

#include "cli/perf/record/request.h"

/* The settings as JSON for js/node/register.mjs. The caller frees it; NULL if memory ran out. */
char *cli_session_settings(const cli_request *request, wasm_perf_clock clock, const char *folder);

#endif /* WI_CLI_PERF_RECORD_SESSION_SETTINGS_H_ */
