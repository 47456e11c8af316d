/* Sums and shares of 64-bit counts, which damaged files can make too large; the order of numbers. */
#ifndef WI_SUPPORT_ARITHMETIC_H_
#define WI_SUPPORT_ARITHMETIC_H_

#include <stdint.h>

typedef unsigned __int128 wi_u128;

/* Sum, or the largest value on overflow. */
static inline uint64_t wi_saturating_add(uint64_t left, uint64_t right) {
  return left > UINT64_MAX - right ? UINT64_MAX : left + right;
}

/*
 * part × factor ÷ whole, rounded down. Exact even if the product overflows; the largest value if
 * the result does; 0 if `whole` is 0.
 */
static inline uint64_t wi_scale(uint64_t part, uint64_t whole, uint64_t factor) {
  wi_u128 result = whole == 0 ? 0 : (wi_u128)part * factor / whole;
  return result > UINT64_MAX ? UINT64_MAX : (uint64_t)result;
}

/* Rounded, and at most 2^41. Without libm, which the libraries do not need. */
static inline uint64_t wi_square_root(double square) {
  uint64_t root = 0;
  for (uint64_t bit = UINT64_C(1) << 40; bit > 0; bit /= 2) {
    double least = (double)(root + bit) - 0.5;
    if (least * least <= square)
      root += bit;
  }
  return root;
}

/* For qsort, of doubles in ascending order. */
static inline int wi_compare_doubles(const void *a, const void *b) {
  double left = *(const double *)a, right = *(const double *)b;
  return (left > right) - (left < right);
}

#endif /* WI_SUPPORT_ARITHMETIC_H_ */
