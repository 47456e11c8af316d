/* Fibonacci numbers in three ways, one of them slow: something to find in a flame graph. */
#include <inttypes.h>
#include <stdint.h>
#include <stdio.h>

enum { N_MAX = 32 };

static uint64_t fib_recursive(unsigned n) {
  return n < 2 ? n : fib_recursive(n - 1) + fib_recursive(n - 2);
}

static uint64_t fib_remembered(unsigned n, uint64_t *known) {
  if (n >= 2 && known[n] == 0)
    known[n] = fib_remembered(n - 1, known) + fib_remembered(n - 2, known);
  return n < 2 ? n : known[n];
}

static uint64_t fib_iterative(unsigned n) {
  uint64_t current = 0;
  uint64_t next = 1;
  while (n-- > 0) {
    uint64_t sum = current + next;
    current = next;
    next = sum;
  }
  return current;
}

int main(void) {
  for (unsigned n = 8; n <= N_MAX; n += 8) {
    uint64_t known[N_MAX + 1] = {0};
    printf("fib(%u): %" PRIu64 " recursive, %" PRIu64 " remembered, %" PRIu64 " iterative\n", n,
           fib_recursive(n), fib_remembered(n, known), fib_iterative(n));
  }
  return 0;
}
