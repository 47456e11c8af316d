/* Names the functions of a profile after other builds of its module. */
#ifndef WI_CLI_PERF_INPUT_SIMILAR_H_
#define WI_CLI_PERF_INPUT_SIMILAR_H_

#include "cli/common/module_files.h"
#include "cli/perf/common.h"
#include "symbols/module_lines.h"
#include "symbols/name_file.h"

/*
 * Adds names from the file at `path` to the namings of the module at `module_path`: see
 * wi_name_file_add. Prints the reason on stderr if it fails.
 */
bool cli_name_file_add(wi_namings *namings, wi_signatures *signatures, const char *path,
                       const char *module_path, wi_name_file_use *use);

/* The builds to take names from. Borrowed. */
typedef struct cli_similar {
  wasm_perf_profile *profile;
  const cli_module_files *files; /* builds; may include the module itself and symbol maps */
  bool silent;                   /* no message about files that are not builds of it */
  uint32_t build_count;          /* how many of the files are builds of it */
  bool failed;                   /* an error was printed on stderr */
} cli_similar;

/*
 * Matches the nameless functions of the profile's module with functions of the builds
 * (match/modules.h). Their names begin with WI_MATCHED_MARK. `context` is a cli_similar;
 * `original` maps the profile's functions to the module's. Returns true.
 */
bool cli_similar_name(void *context, const wi_module *module, wi_names *names,
                      wi_function_map *original, const void *map);

#endif /* WI_CLI_PERF_INPUT_SIMILAR_H_ */
