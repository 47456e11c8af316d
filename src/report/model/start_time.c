#include "report/model/start_time.h"

#include <stdio.h>

#define SECOND      UINT64_C(1000000000)
#define MILLISECOND UINT64_C(1000000)
#define DAY_SECONDS 86400u
#define FIRST_YEAR  1970u
#define LAST_YEAR   2500u /* nanoseconds since 1970 have 64 bits */
#define MONTH_MAX   12u
#define DAY_MAX     31u

/* Days from 1970 to the first of March of a year that begins then, in the Gregorian calendar. */
static uint32_t days_before(uint32_t year) {
  const uint32_t days_in_1970 = 719468; /* from March of the year 0 */
  return 365 * year + year / 4 - year / 100 + year / 400 - days_in_1970;
}

/* Months and years count from March, so that a leap day is the last of its year. */
static uint32_t day_number(uint32_t year, uint32_t month, uint32_t day) {
  uint32_t shifted = month > 2 ? month - 3 : month + 9;
  return days_before(month > 2 ? year : year - 1) + (153 * shifted + 2) / 5 + day - 1;
}

static uint64_t parse(const char *date) {
  unsigned year, month, day, hour, minute, second, milliseconds;
  int size = 0;
  if (!date ||
      sscanf(date, "%4u-%2u-%2uT%2u:%2u:%2u.%3uZ%n", &year, &month, &day, &hour, &minute, &second,
             &milliseconds, &size) != 7 ||
      size == 0 || date[size] != '\0' || year < FIRST_YEAR || year > LAST_YEAR || month < 1 ||
      month > MONTH_MAX || day < 1 || day > DAY_MAX)
    return 0;
  uint64_t seconds =
      (uint64_t)day_number(year, month, day) * DAY_SECONDS + hour * 3600u + minute * 60u + second;
  return seconds * SECOND + milliseconds * MILLISECOND;
}

uint64_t wi_start_time(const wasm_perf_facts *facts) {
  uint64_t end = parse(facts->date);
  return end > facts->run_time ? end - facts->run_time : 0;
}
