#include <string.h>

#include "wasm_instrument/wasm_instrument.h"

static const char *const names[] = {
#define CLOCK_NAME(id, name) name,
    WI_CLOCKS(CLOCK_NAME)
#undef CLOCK_NAME
};

const char *wi_clock_name(wi_clock clock) {
  return names[clock];
}

bool wi_clock_find(const char *name, wi_clock *clock) {
  for (wi_clock i = 0; i < WI_CLOCK_COUNT; ++i)
    if (strcmp(names[i], name) == 0) {
      *clock = i;
      return true;
    }
  return false;
}
