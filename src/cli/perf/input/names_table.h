/* The names of functions as a table: lines of function index, name and confidence, tab-separated. */
#ifndef WI_CLI_PERF_INPUT_NAMES_TABLE_H_
#define WI_CLI_PERF_INPUT_NAMES_TABLE_H_

#include <stdbool.h>
#include <stdio.h>

#include "wasm_perf/profile.h"

/*
 * Prints a line. The name is cleaned, as a tab or a line break would split it in two; the
 * confidence is from 0 to 1. False, with a message on stderr, if out of memory.
 */
bool cli_names_table_row(FILE *stream, uint32_t function, const char *name, double confidence);

/*
 * Writes a table of the profile's functions that have names to the file at `path`, or to stdout if
 * `path` is "-". Indices are those before hooks were added. False on failure, printed on stderr.
 */
bool cli_names_table_write(const wasm_perf_profile *profile, const char *path);

#endif /* WI_CLI_PERF_INPUT_NAMES_TABLE_H_ */
