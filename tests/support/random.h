/*
 * Numbers that look random and are the same in each run: xorshift (Marsaglia, "Xorshift RNGs",
 * 2003). For programs of one source file, also those that are compiled to WebAssembly.
 */
#ifndef WI_TESTS_SUPPORT_RANDOM_H_
#define WI_TESTS_SUPPORT_RANDOM_H_

#include <stdint.h>

static uint32_t random_state = 1;

/* From 0 up to, not including, `limit`. */
static uint32_t random_below(uint32_t limit) {
  random_state ^= random_state << 13;
  random_state ^= random_state >> 17;
  random_state ^= random_state << 5;
  return random_state % limit;
}

#endif /* WI_TESTS_SUPPORT_RANDOM_H_ */
