/* Names for the functions of profiles from other builds of their module. */
#ifndef WI_CLI_PERF_INPUT_SIMILAR_H_
#define WI_CLI_PERF_INPUT_SIMILAR_H_

#include "cli/common/module_files.h"
#include "cli/perf/common.h"
#include "symbols/module_lines.h"

/* What functions are named after. Borrowed. */
typedef struct cli_similar {
  wasm_perf_profile *profile;
  const cli_module_files *files; /* builds, the module itself and texts perhaps among them */
  bool silent;                   /* of files that are no build of the module */
  uint32_t build_count;          /* how many files are one */
  bool failed;                   /* which has been printed on stderr */
} cli_similar;

/*
 * Names the functions that have no name after the builds, given the profile's module: see
 * symbols/match_modules.h. WI_MATCHED_MARK is before each such name. `context` is a cli_similar,
 * `original` maps the profile's functions to the module's. Returns true.
 */
bool cli_similar_name(void *context, const wi_module *module, wi_names *names,
                      wi_function_map *original, const void *map);

/* Whether every function of the profile has a name. */
bool cli_similar_is_complete(const wasm_perf_profile *profile);

#endif /* WI_CLI_PERF_INPUT_SIMILAR_H_ */
