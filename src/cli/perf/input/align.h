/* Matches the functions of two builds whose names differ. */
#ifndef WI_CLI_PERF_INPUT_ALIGN_H_
#define WI_CLI_PERF_INPUT_ALIGN_H_

#include "cli/perf/common.h"
#include "wasm_perf/profile.h"

/* A profile, its file, and files that may be its module. */
typedef struct cli_aligned {
  wasm_perf_profile *profile;
  const char *path;
  const cli_list
      *symbols; /* given by the user; if empty, the module is searched near the profile */
} cli_aligned;

/*
 * If both modules are available, matches functions of `after` with functions of `before` by their
 * code. Functions of `after` that have no name, or a name that `before` does not know, get the name
 * of their match. Prints the number of matches on stderr. False, with a message, if memory ran out.
 */
bool cli_align_names(const cli_aligned *before, const cli_aligned *after);

#endif /* WI_CLI_PERF_INPUT_ALIGN_H_ */
