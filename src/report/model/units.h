/* Numbers as reports show them: exact, independent of the locale, without overflow. */
#ifndef WI_REPORT_MODEL_UNITS_H_
#define WI_REPORT_MODEL_UNITS_H_

#include <stdbool.h>
#include <stdint.h>

#include "profile/values.h"

/* A short text, returned by value so that a call can be an argument of printf. */
typedef struct wi_short_text {
  char text[64];
} wi_short_text;

#define WI_UNKNOWN_TEXT "?" /* replaces a number of calls that were not counted */

/* 1,234,567 */
wi_short_text wi_format_count(uint64_t count);

/* "1 call", "2 calls"; `noun` is at most 20 characters. */
wi_short_text wi_format_quantity(uint64_t count, const char *noun);

/* "2 calls"; "calls not counted" unless `is_counted` */
wi_short_text wi_format_calls(uint64_t count, bool is_counted);

/* count ÷ divisor, rounded to `decimals` (at most 3): 1,234.567 */
wi_short_text wi_format_quotient(uint64_t count, uint64_t divisor, unsigned decimals);

/* `part` as a percentage of `whole`, without the sign: 45.6 */
wi_short_text wi_format_percentage(uint64_t part, uint64_t whole, unsigned decimals);

/*
 * A value with its unit, times and bytes to three digits: "12.3 ms", "4.56 MB", "1,234
 * instructions", "5 calls".
 */
wi_short_text wi_format_value(wi_unit unit, uint64_t value);

/* Likewise, for sentences: counts from 100,000 on to three digits: "29.1 G instructions". */
wi_short_text wi_format_short(wi_unit unit, uint64_t value);

/*
 * value ÷ count, with one decimal except for times from 1 µs on: "50.7", "982.4 ns", "8.75 µs"; "-"
 * for a count of 0.
 */
wi_short_text wi_format_mean(wi_unit unit, uint64_t value, uint64_t count);

/* The common unit of all sums in a table, so that they are easy to compare. */
typedef struct wi_display_unit {
  wi_unit unit;
  const char *text; /* "ms", "instr.", "ticks", "calls" */
  uint64_t divisor; /* for times and bytes: nanoseconds or bytes per unit; otherwise 1 */
  unsigned decimals;
} wi_display_unit;

/* For times and bytes: the largest unit in which `largest` is at least 10, if there is one. */
wi_display_unit wi_display_unit_of(wi_unit unit, uint64_t largest);

/* Only the number: "1,234.567" */
wi_short_text wi_format_in(wi_display_unit unit, uint64_t value);

/* What a measure counts: "bytes held at the peak". */
const char *wi_measure_words(wasm_perf_measure measure);

#endif /* WI_REPORT_MODEL_UNITS_H_ */
