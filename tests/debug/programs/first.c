/* Inlined calls, loops, early returns, code that the linker removes, a variable in several
 * places. */
extern int other(int, int *);

int data[4];
int *pointer = &data[1];

static inline __attribute__((always_inline)) int square(int x) {
  if (x > 100)
    return 3;
  return x * x;
}

int removed(int x) {
  return x + 1;
}

__attribute__((noinline)) int sum(int count) {
  int result = 0;
  for (int i = 0; i < count; i++) {
    result += square(i) + data[i & 3];
    if (result == 77)
      return result;
    result ^= other(result, pointer);
  }
  return result;
}

int run(int count) {
  return sum(count) + square(count);
}
