/* Writes the functions chosen from a profile as a whitelist. */
#ifndef WI_CLI_PERF_RECORD_WHITELIST_H_
#define WI_CLI_PERF_RECORD_WHITELIST_H_

#include "cli/common/hook_budget.h"
#include "cli/perf/input/profiles.h"

/*
 * Writes the functions that `budget` has chosen from the profile to the file at `path`, one pattern
 * a line. A function is written by its name if that is unique and has no special meaning in
 * patterns, else by its index below a comment with the name. The file begins with `title` as a
 * comment. False on failure; `failure` says why (cli_fail).
 */
bool cli_whitelist_write(const wasm_perf_profile *profile, const wi_budget *budget,
                         const char *title, const char *path, cli_failure *failure);

#endif /* WI_CLI_PERF_RECORD_WHITELIST_H_ */
