/* Two functions that take turns; an instruction of one takes several times as long as the other's.
 */
#include <stdint.h>

#define EXPORT(name) __attribute__((export_name(name), noinline))

EXPORT("divide") uint32_t divide(uint32_t count, uint32_t seed) {
  uint64_t x = seed;
  while (count-- > 0)
    x = UINT64_MAX / (x | 1);
  return (uint32_t)x;
}

EXPORT("shift") uint32_t shift(uint32_t count, uint32_t seed) {
  uint32_t x = seed | 1;
  while (count-- > 0) {
    x ^= x << 13;
    x ^= x >> 17;
    x ^= x << 5;
  }
  return x;
}

EXPORT("run") uint32_t run(uint32_t turn_count, uint32_t turn_length) {
  uint32_t seed = 1;
  while (turn_count-- > 0)
    seed = shift(turn_length, divide(turn_length, seed));
  return seed;
}
