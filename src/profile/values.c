#include "profile/values.h"

#include "support/arithmetic.h"

#define NANOSECONDS_PER_SECOND 1000000000u

const char *wi_unit_name(wi_unit unit) {
#define NAME(id, name, number, one) name,
  static const char *const names[] = {WI_UNITS(NAME)};
#undef NAME
  return names[unit];
}

const char *wi_unit_one(wi_unit unit) {
#define ONE(id, name, number, one) one,
  static const char *const words[] = {WI_UNITS(ONE)};
#undef ONE
  return words[unit];
}

wi_unit wi_unit_of_quantity(uint32_t quantity) {
#define NUMBER(id, name, number, one) number,
  static const uint32_t numbers[] = {WI_UNITS(NUMBER)};
#undef NUMBER
  wi_unit unit = 0;
  while (unit < WI_UNIT_COUNT && (quantity == 0 || numbers[unit] != quantity))
    unit++;
  return unit;
}

wi_unit wi_unit_of(const wasm_perf_header *header) {
  if (header->clock == WASM_PERF_CLOCK_NONE)
    return WI_UNIT_CALLS;
  wi_unit shown = wi_unit_of_quantity(header->clock);
  if (shown != WI_UNIT_COUNT)
    return shown;
  if (header->ticks_per_second != 0)
    return WI_UNIT_NANOSECONDS;
  return header->clock == WASM_PERF_CLOCK_INSTRUCTIONS ? WI_UNIT_INSTRUCTIONS : WI_UNIT_TICKS;
}

bool wi_self_is_value(const wasm_perf_header *header) {
  return wi_unit_of(header) != WI_UNIT_NANOSECONDS ||
         header->ticks_per_second == NANOSECONDS_PER_SECOND;
}

uint64_t wi_value(const wasm_perf_header *header, uint64_t self) {
  if (wi_self_is_value(header))
    return self;
  uint64_t seconds = self / header->ticks_per_second;
  uint64_t rest =
      wi_scale(self % header->ticks_per_second, header->ticks_per_second, NANOSECONDS_PER_SECOND);
  if (seconds > (UINT64_MAX - rest) / NANOSECONDS_PER_SECOND)
    return UINT64_MAX; /* 584 years or more */
  return seconds * NANOSECONDS_PER_SECOND + rest;
}

/* Each node gets its part of the rounded running sum. */
void wi_node_times(const wasm_perf_profile *profile, uint64_t *values) {
  const wasm_perf_header *header = &profile->header;
  uint64_t carried = 0; /* ticks of the running sum, without whole seconds */
  for (uint32_t i = 1; i < header->node_count; i++) {
    uint64_t rest = profile->nodes[i].self % header->ticks_per_second;
    uint64_t whole = profile->nodes[i].self - rest;
    uint64_t sum = wi_saturating_add(carried, rest);
    values[i] = wi_saturating_add(wi_value(header, whole),
                                  wi_value(header, sum) - wi_value(header, carried));
    carried = sum % header->ticks_per_second;
  }
}

uint64_t wi_hook_time(uint64_t call_count, uint64_t cost) {
  uint64_t whole = call_count / WASM_PERF_COST_CALL_COUNT;
  uint64_t rest = wi_scale(call_count % WASM_PERF_COST_CALL_COUNT, WASM_PERF_COST_CALL_COUNT, cost);
  if (cost != 0 && whole > (UINT64_MAX - rest) / cost)
    return UINT64_MAX;
  return whole * cost + rest;
}
