/*
 * A reader for the subset of TOML that lists of benchmarks need: comments, [tables] with dotted
 * names, and keys with a string or an array of strings. Anything else is an error. It exists
 * because some of the Debian releases we support have no TOML library for C.
 */
#ifndef WI_CLI_PERF_BENCH_TOML_H_
#define WI_CLI_PERF_BENCH_TOML_H_

#include "cli/perf/common.h"

/* A key and its value, borrowed during the call. */
typedef struct cli_toml_item {
  const char *table; /* "benchmark.NAME", unquoted; "" at the top */
  const char *key;   /* NULL at the start of a table */
  bool is_array;
  cli_list values; /* one unless it is an array; taking them empties the list */
  uint32_t line;
} cli_toml_item;

/* An error in the text. */
typedef struct cli_toml_error {
  size_t offset; /* in bytes */
  uint32_t line;
  char message[160];
} cli_toml_error;

/* Takes an item. False with `message` filled in if it is refused. */
typedef bool cli_toml_take(void *user, cli_toml_item *item, char *message, size_t size);

/* Reads the text. False with *error filled in on failure. */
bool cli_toml_read(const char *text, size_t size, cli_toml_take *take, void *user,
                   cli_toml_error *error);

#endif /* WI_CLI_PERF_BENCH_TOML_H_ */
