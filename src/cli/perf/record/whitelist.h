/* Whitelists of functions that were chosen by a profile. */
#ifndef WI_CLI_PERF_RECORD_WHITELIST_H_
#define WI_CLI_PERF_RECORD_WHITELIST_H_

#include "cli/common/hook_budget.h"
#include "cli/perf/input/profiles.h"

/*
 * Writes the functions that `budget` has chosen of the profile to the file at `path`, a pattern a
 * line: the name, where it is one that patterns take as it is and no other function's; else the
 * index, below a comment with the name. `title` is a comment above. False on failure, which it has
 * printed on stderr.
 */
bool cli_whitelist_write(const wasm_perf_profile *profile, const wi_budget *budget,
                         const char *title, const char *path);

#endif /* WI_CLI_PERF_RECORD_WHITELIST_H_ */
