#include <string.h>

#include "rewrite/clock.h"
#include "wasm_perf/format.h"

static const char *const names[] = {
#define CLOCK_NAME(id, name) name,
    WI_CLOCKS(CLOCK_NAME)
#undef CLOCK_NAME
};

const char *wi_clock_name(wi_clock clock) {
  return names[clock];
}

uint32_t wi_clock_number(wi_clock clock) {
  static const struct {
    const char *name;
    uint32_t number;
  } numbers[] = {
#define CLOCK_NUMBER(id, name, number) {name, number},
      WASM_PERF_CLOCKS(CLOCK_NUMBER)
#undef CLOCK_NUMBER
  };
  for (size_t i = 0; i < sizeof numbers / sizeof *numbers; ++i)
    if (strcmp(numbers[i].name, names[clock]) == 0)
      return numbers[i].number;
  return 0;
}

bool wi_clock_find(const char *name, wi_clock *clock) {
  for (wi_clock i = 0; i < WI_CLOCK_COUNT; ++i)
    if (strcmp(names[i], name) == 0) {
      *clock = i;
      return true;
    }
  return false;
}
