/*
 * Numbers as reports show them: exact, independent of the locale, without overflow.
 */
#ifndef WI_PROFILE_UNITS_H_
#define WI_PROFILE_UNITS_H_

#include <stdbool.h>
#include <stdint.h>

#include "wasm_perf/profile.h"

/*
 * What a report's values count: X(ID, name, number, one of it), without a number for calls, where
 * there is no clock, and for what clocks count; ticks are those of a clock whose unit the profile
 * does not tell. A measure is shown in one of WASM_PERF_QUANTITIES.
 */
#define WI_UNITS(X)                                                                                \
  X(CALLS, "calls", 0, "call")                                                                     \
  X(NANOSECONDS, "nanoseconds", 0, "nanosecond")                                                   \
  X(INSTRUCTIONS, "instructions", 0, "instruction")                                                \
  X(TICKS, "ticks", 0, "tick")                                                                     \
  WASM_PERF_QUANTITIES(X)

typedef enum wi_unit {
#define WI_UNIT_ENUM(id, name, number, one) WI_UNIT_##id,
  WI_UNITS(WI_UNIT_ENUM)
#undef WI_UNIT_ENUM
      WI_UNIT_COUNT
} wi_unit;

/* "calls", "bytes"; "call", "byte" */
const char *wi_unit_name(wi_unit unit);
const char *wi_unit_one(wi_unit unit);

wi_unit wi_unit_of(const wasm_perf_header *header);

/* The unit of a WASM_PERF_QUANTITY_*; WI_UNIT_COUNT: the number is none of these. */
wi_unit wi_unit_of_quantity(uint32_t quantity);

/* `self` of a profile, or a sum of such, in the unit above; rounded down. */
uint64_t wi_value(const wasm_perf_header *header, uint64_t self);

/* Whether that is `self` itself, whatever it is. */
bool wi_self_is_value(const wasm_perf_header *header);

/*
 * The time of each node in whole nanoseconds, as reports show it: values[0] is left alone, so the
 * sum of the others is their rounded sum. Needs a profile whose unit is a time.
 */
void wi_node_times(const wasm_perf_profile *profile, uint64_t *values);

/*
 * The ticks of the hooks of so many calls, at a cost as in the header, rounded down; UINT64_MAX
 * where they are more.
 */
uint64_t wi_hook_time(uint64_t call_count, uint64_t cost);

/* A short text, returned by value so that a call can stand among printf's arguments. */
typedef struct wi_short_text {
  char text[64];
} wi_short_text;

#define WI_UNKNOWN_TEXT "?" /* in place of a number of calls that were not counted */

/* 1,234,567 */
wi_short_text wi_format_count(uint64_t count);

/* "1 call", "2 calls"; `noun` is at most 20 characters. */
wi_short_text wi_format_quantity(uint64_t count, const char *noun);

/* "2 calls"; "calls not counted" where they were not */
wi_short_text wi_format_calls(uint64_t count, bool is_counted);

/* count ÷ divisor with `decimals` (at most 3), to the nearest: 1,234.567 */
wi_short_text wi_format_quotient(uint64_t count, uint64_t divisor, unsigned decimals);

/* The share of `part` in `whole` as a percentage, without its sign: 45.6 */
wi_short_text wi_format_percentage(uint64_t part, uint64_t whole, unsigned decimals);

/* A value in its unit, times and bytes to three digits: "12.3 ms", "4.56 MB", "1,234 instructions",
 * "5 calls" */
wi_short_text wi_format_value(wi_unit unit, uint64_t value);

/* value ÷ count, with a decimal but for times from 1 µs on: "50.7", "982.4 ns", "8.75 µs"; "-" for
 * a count of 0 */
wi_short_text wi_format_mean(wi_unit unit, uint64_t value, uint64_t count);

/* What a table shows all of its sums in, so that they compare at a glance. */
typedef struct wi_display_unit {
  wi_unit unit;
  const char *text; /* "ms", "instr.", "ticks", "calls" */
  uint64_t divisor; /* of times and bytes: nanoseconds or bytes in one of it; else 1 */
  unsigned decimals;
} wi_display_unit;

/* The unit of times and bytes is that in which `largest` is at least 10, if there is one. */
wi_display_unit wi_display_unit_of(wi_unit unit, uint64_t largest);

/* The number alone: "1,234.567" */
wi_short_text wi_format_in(wi_display_unit unit, uint64_t value);

#endif /* WI_PROFILE_UNITS_H_ */
