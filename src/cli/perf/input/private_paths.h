/* Keeps private parts of paths out of profiles and reports, which are sent to others. */
#ifndef WI_CLI_PERF_INPUT_PRIVATE_PATHS_H_
#define WI_CLI_PERF_INPUT_PRIVATE_PATHS_H_

#include "wasm_perf/profile.h"

/*
 * Shortens the paths of a profile: of files below the current folder to a relative path, of packages elsewhere
 * to node_modules/PACKAGE/…, of files in a home folder to ~/…. wi_source_file_open finds them again. If
 * memory runs out, a path stays as it is.
 */
void cli_private_paths_shorten(wasm_perf_profile *profile);

#endif /* WI_CLI_PERF_INPUT_PRIVATE_PATHS_H_ */
