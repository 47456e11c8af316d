/* Names for profiles that have none, from the module that was instrumented. */
#ifndef WI_CLI_PERF_MODULE_NAMES_H_
#define WI_CLI_PERF_MODULE_NAMES_H_

#include "cli/perf/profiles.h"

/*
 * Names the functions of a profile after those of the module at `module_path`, which must be the
 * one that the profile is of: its original by the identity in the profile, or, where a profile has
 * no identity, the module that ran. False on failure, which it has printed on stderr.
 */
bool cli_profile_name(wasm_perf_profile *profile, const char *profile_path,
                      const char *module_path);

/* The same without a word on stderr: false, and nothing changed, where the module does not fit. */
bool cli_profile_try_names(wasm_perf_profile *profile, const char *module_path);

/*
 * The same for a profile that has an identity but no names, from a module beside it: named as the
 * profile says, or like the file. Where there is none, stderr tells how to get names.
 */
void cli_profile_find_names(wasm_perf_profile *profile, const char *profile_path);

#endif /* WI_CLI_PERF_MODULE_NAMES_H_ */
