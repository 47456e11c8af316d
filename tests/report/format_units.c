/*
 * Writes numbers as reports do, for the test that holds JavaScript to them: for each line "value
 * UNIT N", "mean UNIT N COUNT" or "share DECIMALS N WHOLE" one line, where UNIT is a number of
 * wi_unit.
 */
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "report/model/units.h"

static wi_short_text format(const char *kind, unsigned which, uint64_t number, uint64_t other) {
  if (strcmp(kind, "value") == 0)
    return wi_format_value((wi_unit)which, number);
  if (strcmp(kind, "mean") == 0)
    return wi_format_mean((wi_unit)which, number, other);
  return wi_format_percentage(number, other, which);
}

int main(void) {
  char kind[8];
  unsigned which;
  uint64_t number, other;
  while (scanf("%7s %u %" SCNu64 " %" SCNu64, kind, &which, &number, &other) == 4)
    puts(format(kind, which, number, other).text);
  return feof(stdin) ? 0 : 1;
}
