/* Reads and writes profile files. */
#ifndef WI_CLI_PERF_INPUT_PROFILES_H_
#define WI_CLI_PERF_INPUT_PROFILES_H_

#include "cli/perf/common.h"
#include "wasm_perf/report.h"

/* The format of the longest extension that `path` ends in; NULL if there is none. */
const wasm_perf_report_format *cli_format_for_path(const char *path);

/*
 * Reads the sum of the profiles in a file, which are .wperf files one after another or in a text
 * (text_lines.h); "-" is stdin. NULL on failure. Here and below, `failure` says why (cli_fail).
 */
wasm_perf_profile *cli_profile_read(const char *path, cli_failure *failure);

/*
 * Same for a file that may be a difference: *before is what it subtracts, otherwise NULL. If
 * `before` is NULL, differences are refused.
 */
wasm_perf_profile *cli_profile_read_pair(const char *path, wasm_perf_profile **before,
                                         cli_failure *failure);

/* Takes over a profile. Returns false on failure, which it has reported. */
typedef bool cli_profile_taker(void *user, wasm_perf_profile *profile);

/*
 * Reads a file like cli_profile_read, and passes each profile in it to `take`. Returns false on
 * failure.
 */
bool cli_profile_read_each(const char *path, cli_profile_taker *take, void *user,
                           cli_failure *failure);

/*
 * Writes `profile` to the file at `path`, or to stdout if `path` is "-". A NULL `format` means
 * .wperf. Its paths are shortened before (private_paths.h). False on failure, without a reason if
 * the reader has exited, as `| head` does.
 */
bool cli_profile_write(wasm_perf_profile *profile, const wasm_perf_report_format *format,
                       const wasm_perf_report_options *options, const char *path,
                       cli_failure *failure);

/*
 * Whether functions of the profiles can be matched by name. They cannot if some profiles have
 * names and another one has calls but no names; this is printed on stderr.
 */
bool cli_profiles_check_names(wasm_perf_profile *const *profiles, char *const *paths, size_t count);

/*
 * Merges the smallest stacks if the profile has very many and the format writes each of them, and
 * prints that with `path`. False if memory ran out.
 */
bool cli_profile_merge_small(wasm_perf_profile *profile, wasm_perf_value value,
                             const wasm_perf_report_format *format, const char *path,
                             cli_failure *failure);

/* Writes `what` to the stream. False if something is missing. */
typedef bool cli_file_filler(const void *what, FILE *stream);

/*
 * Fills the file at `path`, or stdout if `path` is "-". If stderr is a terminal, prints that a file
 * was written, and its size. False on failure, with errno set or 0.
 */
bool cli_file_fill(const char *path, cli_file_filler *fill, const void *what);

/* Demangles names. False if memory ran out. */
bool cli_profile_demangle(wasm_perf_profile *profile, cli_failure *failure);

#endif /* WI_CLI_PERF_INPUT_PROFILES_H_ */
