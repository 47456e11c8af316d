/* The same function under two names: in two profiles of two builds. */
#ifndef WI_CLI_PERF_INPUT_ALIGN_H_
#define WI_CLI_PERF_INPUT_ALIGN_H_

#include "cli/perf/common.h"
#include "wasm_perf/profile.h"

/* A profile, and where it and its module may be. */
typedef struct cli_aligned {
  wasm_perf_profile *profile;
  const char *path;
  const cli_list *symbols; /* files that were given; else the module is looked for beside it */
} cli_aligned;

/*
 * Where the modules of both are at hand, finds which functions of `after` are which of `before` by
 * their code, and calls them in `after` as in `before`: those without a name, whose number tells
 * nothing of another build, and those whose name the other build has not. Says on stderr how many.
 * False where memory ran out, which it has printed.
 */
bool cli_align_names(const cli_aligned *before, const cli_aligned *after);

#endif /* WI_CLI_PERF_INPUT_ALIGN_H_ */
