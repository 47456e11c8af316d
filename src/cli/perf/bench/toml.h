/*
 * The part of TOML that lists of benchmarks take: comments, [tables] with dotted names, and keys with
 * a string or an array of strings. Everything else is an error that says so: Debian has no library for
 * TOML in C in each of its releases that we build for.
 */
#ifndef WI_CLI_PERF_BENCH_TOML_H_
#define WI_CLI_PERF_BENCH_TOML_H_

#include "cli/perf/common.h"

/* A key and its value. Borrowed: valid during the call. */
typedef struct cli_toml_item {
  const char *table; /* "benchmark.NAME", its parts unquoted; "" at the top */
  const char *key;   /* NULL: a table begins */
  bool is_array;
  cli_list values; /* one, unless it is an array; who takes them empties the list */
  uint32_t line;
} cli_toml_item;

/* What is wrong with the text, and where. */
typedef struct cli_toml_error {
  size_t offset; /* in bytes */
  uint32_t line;
  char message[160];
} cli_toml_error;

/* Takes an item; false, with a message, if it refuses it. */
typedef bool cli_toml_take(void *user, cli_toml_item *item, char *message, size_t size);

/* False, with *error filled in. */
bool cli_toml_read(const char *text, size_t size, cli_toml_take *take, void *user,
                   cli_toml_error *error);

#endif /* WI_CLI_PERF_BENCH_TOML_H_ */
