/* What an engine says on the program's standard error, left out. */
#ifndef WI_CLI_PERF_RECORD_LINE_FILTER_H_
#define WI_CLI_PERF_RECORD_LINE_FILTER_H_

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define CLI_UNWANTED_LINES 2

/* What begins so is dropped, up to the end of the line that it ends in. Otherwise zeroed. */
typedef struct cli_line_filter {
  const char *unwanted[CLI_UNWANTED_LINES]; /* no two of them begin with the same character */
  const char *candidate; /* what is read may turn out to be; NULL: nothing of that kind */
  size_t matched;        /* bytes of that, held back */
  bool is_dropping;
} cli_line_filter;

/* A wi_process_output, of which `user` is a filter: writes the rest to stderr, as it comes. */
void cli_line_filter_take(void *user, const uint8_t *bytes, size_t size);

/* Writes what was held back when the output ended. */
void cli_line_filter_end(cli_line_filter *filter);

#endif /* WI_CLI_PERF_RECORD_LINE_FILTER_H_ */
