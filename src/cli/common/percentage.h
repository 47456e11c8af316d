/* Percentages on the command line. */
#ifndef WI_CLI_COMMON_PERCENTAGE_H_
#define WI_CLI_COMMON_PERCENTAGE_H_

#include <stdbool.h>
#include <stdint.h>

/* A percentage, exactly as written: part ÷ whole. */
typedef struct cli_percentage {
  uint64_t part;
  uint64_t whole; /* 100, times ten per decimal */
} cli_percentage;

/*
 * Parses "5", "5%" or "0.25%". Returns false for other texts, and for more than 9 digits or
 * decimals.
 */
bool cli_parse_percentage(const char *text, cli_percentage *percentage);

/* Likewise for a budget: more than 0 and at most 100. */
bool cli_parse_budget(const char *text, cli_percentage *budget);

#define CLI_BUDGET_WANTED "--budget wants more than 0%% and at most 100%%, like 3%%, not '%s'"

#endif /* WI_CLI_COMMON_PERCENTAGE_H_ */
