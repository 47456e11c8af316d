/* What the modules of a session say of the functions that its parts count. */
#ifndef WI_CLI_PERF_RECORD_SESSION_MODULES_H_
#define WI_CLI_PERF_RECORD_SESSION_MODULES_H_

#include "wasm_perf/profile.h"

/*
 * Says where the functions of a module stand in the source, and what lines took, as the file that it was read from and
 * those beside that have it; else as the module itself has it. The profile is the sum of parts of which one is at
 * `part_path`. A cli_part_completer.
 */
void cli_session_complete(wasm_perf_profile *profile, const char *part_path);

#endif /* WI_CLI_PERF_RECORD_SESSION_MODULES_H_ */
