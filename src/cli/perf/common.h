/* Messages, files, strings and tables of the wasm-perf command. */
#ifndef WI_CLI_PERF_COMMON_H_
#define WI_CLI_PERF_COMMON_H_

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "cli/common/parser.h"
#include "cli/common/percentage.h"
#include "wasm_instrument/wasm_instrument.h"
#include "wasm_perf/report.h"

/* ---- Messages and files --------------------------------------- */

/*
 * Prints "wasm-perf: PATH: message"; `path` may be NULL. "-" is standard input: of an output pass
 * wi_file_output_name. Returns CLI_EXIT_FAILURE.
 */
int cli_error(const char *path, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* Prints "wasm-perf: PATH: warning: MESSAGE"; a `warn` of wi_options, whose `user` is the path. */
void cli_warn(void *path, const char *message);

/* The same for an error of the rewriter, with its place. */
int cli_module_error(const char *path, const wi_error *error);

/*
 * Reads all of the file at `path`; the caller frees *bytes. False on failure, which it has printed
 * on stderr.
 */
bool cli_file_read(const char *path, uint8_t **bytes, size_t *size);

/*
 * The executable file `name`, on PATH unless it says where it is. The caller frees it; NULL: none.
 */
char *cli_executable_find(const char *name);

/* ---- Strings ---------------------------------------- */

/* Like asprintf, but ends the program where memory is short. The caller frees it. */
char *cli_text(const char *format, ...) __attribute__((format(printf, 1, 2)));

/* A list of strings, ended by NULL once it has any. Zero it before; clear it after. */
typedef struct cli_list {
  char **items; /* owned, as are the strings */
  size_t count;
} cli_list;

/* Appends `text`, which the list then owns. Ends the program where memory is short. */
void cli_list_add(cli_list *list, char *text);
void cli_list_clear(cli_list *list);

/* Reads a decimal number that is all of `text`; false where it is none or too large. */
bool cli_parse_number(const char *text, uint32_t *number);

/* Reads a percentage of at most 100 with up to four decimals, in millionths. */
bool cli_parse_share(const char *text, uint32_t *share);

/* Reads a time like 30s, 500ms, 2m or 30, in nanoseconds; false where it is none, or 0. */
bool cli_parse_time(const char *text, uint64_t *time);

#define CLI_TIME_WANTED  "--%s wants a time like 30s, 500ms or 2m, not '%s'"
#define CLI_SHARE_WANTED "--min-share wants a percentage with up to 4 decimals, not '%s'"

/* A variable of the environment; NULL where it is not set or empty, which mean the same. */
const char *cli_variable(const char *name);

/* Whether `text` ends in `end`. */
bool cli_ends_with(const char *text, const char *end);

/* Whether `path` ends in a dot and `extension`. */
bool cli_has_extension(const char *path, const char *extension);

/* ---- What the tables of several commands have ------------------ */

extern const cli_option_group cli_help_options; /* --help alone */
extern const cli_entry cli_report_exit_codes[]; /* of commands that read profiles */

/* What tables can be in order of; the index is a wasm_perf_sort. */
bool cli_sort_choice(size_t index, cli_choice *choice);

#endif /* WI_CLI_PERF_COMMON_H_ */
