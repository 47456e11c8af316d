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
 * Prints "wasm-perf: PATH: message"; `path` may be NULL. "-" means standard input; for an output,
 * pass wi_file_output_name. Returns CLI_EXIT_FAILURE.
 */
int cli_error(const char *path, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* Why something failed, for whoever asked for it. Zero it before use, clear it afterwards. */
typedef struct cli_failure {
  char *reason; /* "PATH: message"; NULL if nothing failed */
} cli_failure;

/*
 * Sets the reason to "PATH: message", with the path as for cli_error, unless it is set: the first
 * one is the cause of the others. Prints it if `failure` is NULL. Always returns false.
 */
bool cli_fail(cli_failure *failure, const char *path, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

/* The same for an error of the rewriter, and for a failed allocation. */
bool cli_fail_module(cli_failure *failure, const char *path, const wi_error *error);
bool cli_fail_memory(cli_failure *failure);

/* Prints the reason, if there is one, and clears it. */
void cli_failure_print(cli_failure *failure);
void cli_failure_clear(cli_failure *failure);

/* Prints "wasm-perf: PATH: warning: MESSAGE". For wi_options.warn, with the path as its `user`. */
void cli_warn(void *path, const char *message);

/* Prints an error of the rewriter, with its byte offset and function. */
int cli_module_error(const char *path, const wi_error *error);

/* Reads all of the file at `path`; the caller frees *bytes. */
bool cli_file_read(const char *path, uint8_t **bytes, size_t *size, cli_failure *failure);

/*
 * Path of the executable file `name`, searched on PATH unless it contains a slash. The caller frees
 * it; NULL if there is none.
 */
char *cli_executable_find(const char *name);

/* ---- Strings ---------------------------------------- */

/* Like asprintf, but exits if memory runs out. The caller frees the result. */
char *cli_text(const char *format, ...) __attribute__((format(printf, 1, 2)));

/* A list of strings, NULL-terminated unless empty. Zero it before use; clear it afterwards. */
typedef struct cli_list {
  char **items; /* owned, as are the strings */
  size_t count;
} cli_list;

/* Appends `text` and takes ownership of it. Exits if memory runs out. */
void cli_list_add(cli_list *list, char *text);
void cli_list_clear(cli_list *list);

/* Parses all of `text` as a decimal number; false if it is not one or too large. */
bool cli_parse_number(const char *text, uint32_t *number);

/* Parses a percentage of at most 100 with up to four decimals; the result is in millionths. */
bool cli_parse_share(const char *text, uint32_t *share);

/* Parses a time such as 30s, 500ms, 2m or 30 into nanoseconds; false if it is not one, or 0. */
bool cli_parse_time(const char *text, uint64_t *time);

#define CLI_TIME_WANTED  "--%s wants a time like 30s, 500ms or 2m, not '%s'"
#define CLI_SHARE_WANTED "--min-share wants a percentage with up to 4 decimals, not '%s'"

/* An environment variable; NULL if it is unset or empty, which mean the same. */
const char *cli_variable(const char *name);

/* Whether `text` ends in `end`. */
bool cli_ends_with(const char *text, const char *end);

/* Whether `path` ends in a dot and `extension`. */
bool cli_has_extension(const char *path, const char *extension);

/* ---- What the tables of several commands have ------------------ */

extern const cli_option_group cli_help_options;       /* --help alone */
extern const cli_option_group cli_usual_help_options; /* and --help-all */
extern const cli_entry cli_report_exit_codes[];       /* of commands that read profiles */

/* The orders that tables can be sorted in; the index is a wasm_perf_sort. */
bool cli_sort_choice(size_t index, cli_choice *choice);

#endif /* WI_CLI_PERF_COMMON_H_ */
