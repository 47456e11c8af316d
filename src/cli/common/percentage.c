#include "cli/common/percentage.h"

#define MAX_PERCENTAGE_DIGITS 9 /* before the point, and after it */

/* Reads digits into *number. Returns their count, at most MAX_PERCENTAGE_DIGITS + 1. */
static int take_digits(const char **text, uint64_t *number) {
  int count = 0;
  while (count <= MAX_PERCENTAGE_DIGITS && **text >= '0' && **text <= '9') {
    *number = *number * 10 + (uint64_t)(**text - '0');
    ++*text;
    count++;
  }
  return count;
}

bool cli_parse_percentage(const char *text, cli_percentage *percentage) {
  *percentage = (cli_percentage){.part = 0, .whole = 100};
  int digits = take_digits(&text, &percentage->part);
  bool is_number = digits > 0 && digits <= MAX_PERCENTAGE_DIGITS;
  if (is_number && *text == '.') {
    text++;
    digits = take_digits(&text, &percentage->part);
    is_number = digits > 0 && digits <= MAX_PERCENTAGE_DIGITS;
    while (digits-- > 0)
      percentage->whole *= 10;
  }
  if (*text == '%')
    text++;
  return is_number && *text == 0;
}

bool cli_parse_budget(const char *text, cli_percentage *budget) {
  return cli_parse_percentage(text, budget) && budget->part > 0 && budget->part <= budget->whole;
}
