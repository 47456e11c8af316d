/* Removes the engine's own lines from the program's standard error. */
#ifndef WI_CLI_PERF_RECORD_LINE_FILTER_H_
#define WI_CLI_PERF_RECORD_LINE_FILTER_H_

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define CLI_UNWANTED_LINES 2

/* Drops text from an `unwanted` prefix to the next newline. Zero the other fields. */
typedef struct cli_line_filter {
  const char *unwanted[CLI_UNWANTED_LINES]; /* prefixes; their first characters differ */
  const char *candidate; /* the prefix that the latest bytes match so far; NULL if none */
  size_t matched;        /* bytes of the candidate, held back */
  bool is_dropping;
} cli_line_filter;

/* A wi_process_output whose `user` is the filter: writes everything else to stderr at once. */
void cli_line_filter_take(void *user, const uint8_t *bytes, size_t size);

/* Writes bytes still held back at the end of the output. */
void cli_line_filter_end(cli_line_filter *filter);

#endif /* WI_CLI_PERF_RECORD_LINE_FILTER_H_ */
