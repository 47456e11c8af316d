/* A loop whose hottest function V8 inlines: its samples fall on step, which does nothing itself. */
#include <stdio.h>

static unsigned table[256];

__attribute__((noinline)) unsigned mix(unsigned x) {
  x ^= x >> 16;
  x *= 0x7feb352d;
  x ^= x >> 15;
  x *= 0x846ca68b;
  x ^= x >> 16;
  return x + table[x & 255];
}

__attribute__((noinline)) unsigned step(unsigned count, unsigned sum) {
  for (unsigned i = 0; i < count; i++)
    sum += mix(sum + i);
  return sum;
}

__attribute__((noinline)) unsigned other(unsigned count, unsigned sum) {
  for (unsigned i = 0; i < count; i++)
    sum = sum * 31 + table[(sum >> 7) & 255];
  return sum;
}

int main(void) {
  unsigned sum = 1;
  for (int i = 0; i < 6000; i++)
    sum = other(20000, step(10000, sum));
  printf("%u\n", sum);
  return 0;
}
