#include "cli/perf/record/line_filter.h"

#include <stdio.h>

void cli_line_filter_end(cli_line_filter *filter) {
  if (filter->candidate)
    fwrite(filter->candidate, 1, filter->matched, stderr);
  filter->candidate = NULL;
  filter->matched = 0;
  fflush(stderr);
}

static void begin(cli_line_filter *filter, uint8_t byte) {
  for (size_t i = 0; i < CLI_UNWANTED_LINES; i++)
    if (filter->unwanted[i][0] == (char)byte)
      filter->candidate = filter->unwanted[i];
}

static void take_byte(cli_line_filter *filter, uint8_t byte) {
  if (filter->is_dropping) {
    filter->is_dropping = byte != '\n';
    return;
  }
  if (filter->candidate && filter->candidate[filter->matched] != (char)byte)
    cli_line_filter_end(filter); /* prints the withheld start: the line is the program's */
  if (!filter->candidate)
    begin(filter, byte);
  if (!filter->candidate) {
    putc(byte, stderr);
  } else if (filter->candidate[++filter->matched] == '\0') {
    filter->candidate = NULL;
    filter->matched = 0;
    filter->is_dropping = true;
  }
}

void cli_line_filter_take(void *user, const uint8_t *bytes, size_t size) {
  for (size_t i = 0; i < size; i++)
    take_byte(user, bytes[i]);
  fflush(stderr);
}
