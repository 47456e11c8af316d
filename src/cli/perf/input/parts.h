/* One profile of many that parts of a program left: threads, processes, instances. */
#ifndef WI_CLI_PERF_INPUT_PARTS_H_
#define WI_CLI_PERF_INPUT_PARTS_H_

#include "cli/perf/common.h"
#include "wasm_perf/profile.h"

/* Adds what its module knows to the sum of one module's parts, of which one is at `path`. */
typedef void cli_part_completer(wasm_perf_profile *profile, const char *path);

/*
 * Adds up profiles of one module, by identity, unless each is to stay by itself; where more than
 * one is left then, each stands under its module's name. NULL on failure, which it has printed on
 * stderr. The caller frees the result, and the profiles: those that it has taken over are NULL. `complete` may be NULL.
 */
wasm_perf_profile *cli_parts_join(wasm_perf_profile **profiles, char *const *paths, size_t count,
                                  bool apart, cli_part_completer *complete);

#endif /* WI_CLI_PERF_INPUT_PARTS_H_ */
