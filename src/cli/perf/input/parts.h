/* Joins the profiles that threads, processes and instances of a program have written. */
#ifndef WI_CLI_PERF_INPUT_PARTS_H_
#define WI_CLI_PERF_INPUT_PARTS_H_

#include "cli/perf/common.h"
#include "wasm_perf/profile.h"

/* Completes the sum of one module's profiles from the module; one of these profiles is at `path`. */
typedef void cli_part_completer(wasm_perf_profile *profile, const char *path);

/*
 * Adds up the profiles of each module, by identity, unless `apart`. If more than one remains, each
 * gets a root frame named after its module. NULL on failure; `failure` says why (cli_fail). The
 * caller frees the result and the profiles; those that were moved into the result are NULL.
 * `complete` may be NULL.
 */
wasm_perf_profile *cli_parts_join(wasm_perf_profile **profiles, char *const *paths, size_t count,
                                  bool apart, cli_part_completer *complete, cli_failure *failure);

#endif /* WI_CLI_PERF_INPUT_PARTS_H_ */
