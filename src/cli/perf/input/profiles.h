/* Profiles from files and to files. */
#ifndef WI_CLI_PERF_INPUT_PROFILES_H_
#define WI_CLI_PERF_INPUT_PROFILES_H_

#include "cli/perf/common.h"
#include "wasm_perf/report.h"

/*
 * The format for files named like `path`, by the longest extension that fits; NULL where it names
 * none.
 */
const wasm_perf_report_format *cli_format_for_path(const char *path);

/*
 * Reads a .wperf file, or a text with profiles in it (text_lines.h) as their sum, "-" being stdin.
 * NULL on failure, which it has printed on stderr.
 */
wasm_perf_profile *cli_profile_read(const char *path);

/*
 * Writes `profile` to the file at `path`, or to stdout where `path` is "-"; with no
 * `format` as .wperf. False on failure, which it has printed on stderr.
 */
bool cli_profile_write(const wasm_perf_profile *profile, const wasm_perf_report_format *format,
                       const wasm_perf_report_options *options, const char *path);

/*
 * Whether names can tell which functions of the profiles are the same: not where some have names
 * and another one, in which functions were called, has none. If not, it has printed that.
 */
bool cli_profiles_check_names(wasm_perf_profile *const *profiles, char *const *paths, size_t count);

/*
 * Before a profile with very many stacks is written in a format that has a line, or more, for each:
 * merges the small ones, which it prints on behalf of `path`. False where memory is short, which it
 * has printed on stderr, too.
 */
bool cli_profile_merge_small(wasm_perf_profile *profile, const wasm_perf_report_format *format,
                             const char *path);

/* Prints for a terminal on stderr that the file at `path` was written, and its size; not of "-". */
void cli_tell_written(const char *path);

/* Makes mangled names readable. False where memory is short, which it has printed on stderr. */
bool cli_profile_demangle(wasm_perf_profile *profile);

#endif /* WI_CLI_PERF_INPUT_PROFILES_H_ */
