/* Adds source locations and lines from a session's modules to its profile. */
#ifndef WI_CLI_PERF_RECORD_SESSION_MODULES_H_
#define WI_CLI_PERF_RECORD_SESSION_MODULES_H_

#include "wasm_perf/profile.h"

/*
 * A cli_part_completer: adds source locations of functions and costs of lines to the profile of a
 * module. They come from the file that the module was read from and the debug files next to it, or
 * else from the module itself. The profile is the sum of parts, one of which is at `part_path`.
 */
void cli_session_complete(wasm_perf_profile *profile, const char *part_path);

#endif /* WI_CLI_PERF_RECORD_SESSION_MODULES_H_ */
