/* Reads and writes profile files. */
#ifndef WI_CLI_PERF_INPUT_PROFILES_H_
#define WI_CLI_PERF_INPUT_PROFILES_H_

#include "cli/perf/common.h"
#include "wasm_perf/report.h"

/* The format of the longest extension that `path` ends in; NULL if there is none. */
const wasm_perf_report_format *cli_format_for_path(const char *path);

/*
 * Reads a .wperf file, or the sum of the profiles in a text (text_lines.h); "-" is stdin. NULL on
 * failure, printed on stderr.
 */
wasm_perf_profile *cli_profile_read(const char *path);

/*
 * Writes `profile` to the file at `path`, or to stdout if `path` is "-". A NULL `format` means
 * .wperf. False on failure, printed on stderr.
 */
bool cli_profile_write(const wasm_perf_profile *profile, const wasm_perf_report_format *format,
                       const wasm_perf_report_options *options, const char *path);

/*
 * Whether functions of the profiles can be matched by name. They cannot if some profiles have
 * names and another one has calls but no names; this is printed on stderr.
 */
bool cli_profiles_check_names(wasm_perf_profile *const *profiles, char *const *paths, size_t count);

/*
 * Merges the smallest stacks if the profile has very many and the format writes each of them, and
 * prints that with `path`. False, with a message, if memory ran out.
 */
bool cli_profile_merge_small(wasm_perf_profile *profile, const wasm_perf_report_format *format,
                             const char *path);

/* If stderr is a terminal, prints that `path` was written, and its size; nothing for "-". */
void cli_tell_written(const char *path);

/* Demangles names. False, with a message on stderr, if memory ran out. */
bool cli_profile_demangle(wasm_perf_profile *profile);

#endif /* WI_CLI_PERF_INPUT_PROFILES_H_ */
