/* What the values of a profile are: their unit, and times in nanoseconds, without overflow. */
#ifndef WI_PROFILE_VALUES_H_
#define WI_PROFILE_VALUES_H_

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

#endif /* WI_PROFILE_VALUES_H_ */
