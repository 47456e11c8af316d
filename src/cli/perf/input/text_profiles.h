/* Joins the profiles that were found in a text. */
#ifndef WI_CLI_PERF_INPUT_TEXT_PROFILES_H_
#define WI_CLI_PERF_INPUT_TEXT_PROFILES_H_

#include "cli/perf/common.h"
#include "cli/perf/input/text_lines.h"
#include "wasm_perf/profile.h"

/*
 * Joins the profiles of the text. Each is named after its core module in the component at
 * `names_path`, unless that is NULL. Messages name `path`. NULL if there is none or one cannot be read;
 * `failure` says why (cli_fail). The caller frees the result.
 */
wasm_perf_profile *cli_text_profiles_join(const cli_text_lines *lines, const char *names_path,
                                          const char *path, cli_failure *failure);

#endif /* WI_CLI_PERF_INPUT_TEXT_PROFILES_H_ */
