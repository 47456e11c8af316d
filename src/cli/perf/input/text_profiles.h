/* Profiles that were found in text. */
#ifndef WI_CLI_PERF_INPUT_TEXT_PROFILES_H_
#define WI_CLI_PERF_INPUT_TEXT_PROFILES_H_

#include "cli/perf/input/text_lines.h"
#include "wasm_perf/profile.h"

/*
 * The profiles of the text in one, each named after its core module in the component at
 * `names_path`, unless that is NULL. Messages are of `path`. NULL where there is none, or
 * where one cannot be read, which it has told on stderr. The caller frees it.
 */
wasm_perf_profile *cli_text_profiles_join(const cli_text_lines *lines, const char *names_path,
                                          const char *path);

#endif /* WI_CLI_PERF_INPUT_TEXT_PROFILES_H_ */
