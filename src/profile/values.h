/* Values of a profile: their unit, and times in nanoseconds, without overflow. */
#ifndef WI_PROFILE_VALUES_H_
#define WI_PROFILE_VALUES_H_

#include <stdbool.h>
#include <stdint.h>

#include "wasm_perf/profile.h"

/*
 * Units of a report's values: X(ID, name, number, singular). The number is 0 for calls (used
 * without a clock) and for units of clocks. Ticks are used if the profile does not say what a tick
 * is. Measures are shown in one of WASM_PERF_QUANTITIES.
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

/* Plural and singular of the unit: "calls" and "call", "bytes" and "byte". */
const char *wi_unit_name(wi_unit unit);
const char *wi_unit_one(wi_unit unit);

wi_unit wi_unit_of(const wasm_perf_header *header);

/* Unit of a WASM_PERF_QUANTITY_*; WI_UNIT_COUNT for other numbers. */
wi_unit wi_unit_of_quantity(uint32_t quantity);

/* Converts a self value, or a sum of them, to the unit above; rounded down. */
uint64_t wi_value(const wasm_perf_header *header, uint64_t self);

/* Whether wi_value returns `self` unchanged. */
bool wi_self_is_value(const wasm_perf_header *header);

/*
 * Computes the time of each node in whole nanoseconds, as shown in reports. values[0] is not set;
 * the others add up to their rounded sum. The profile's unit must be a time.
 */
void wi_node_times(const wasm_perf_profile *profile, uint64_t *values);

/*
 * Ticks of the hooks of `call_count` calls, with `cost` as in the header; rounded down, at most
 * UINT64_MAX.
 */
uint64_t wi_hook_time(uint64_t call_count, uint64_t cost);

#endif /* WI_PROFILE_VALUES_H_ */
