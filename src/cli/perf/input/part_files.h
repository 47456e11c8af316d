/* The files from which a session's profile is joined, as its threads write them. */
#ifndef WI_CLI_PERF_INPUT_PART_FILES_H_
#define WI_CLI_PERF_INPUT_PART_FILES_H_

#include "cli/perf/common.h"
#include "cli/perf/input/ran_modules.h"
#include "wasm_perf/profile.h"

/* Profiles and the files that they come from. Zero it before use, clear it afterwards. */
typedef struct cli_part_files {
  wasm_perf_profile **profiles; /* parts.paths.count items */
  cli_list paths;
  cli_ran_modules modules;
} cli_part_files;

/*
 * Reads the file at `path`: a thread (thread_file.h), or profiles of instances of one module, one
 * after another, which are added up unless `apart`. Functions are named after the module beside it,
 * see cli_part_beside. If there is a file at `before`, which may be NULL, the profile is what was
 * added to that one. Returns false on failure; `failure` says why (cli_fail).
 */
bool cli_part_files_add(cli_part_files *parts, const char *path, const char *before, bool apart,
                        cli_failure *failure);
void cli_part_files_clear(cli_part_files *parts);

/*
 * The path of the file KEY`end` beside a part PROCESS-THREAD.NUMBER-KEY.wperf; more may follow the
 * key. NULL if the part does not belong to a module. The caller frees it.
 */
char *cli_part_beside(const char *path, const char *end);

#endif /* WI_CLI_PERF_INPUT_PART_FILES_H_ */
