/* Functions that are inlined into one that is called from two others, with other numbers. */
#define INLINED static inline __attribute__((always_inline))

INLINED int square(int x) {
  return x * x;
}

INLINED int norm(int x, int y) {
  return square(x) + square(y);
}

static volatile int calls; /* so that no call is left out */

__attribute__((noinline)) int nearest(const int *points, int count) {
  calls++;
  int best = 1 << 30;
  for (int i = 0; i < count; i += 2) {
    int found = norm(points[i], points[i + 1]);
    best = found < best ? found : best;
  }
  return best;
}

static int points[200];

__attribute__((noinline)) int few(void) {
  return nearest(points, 20);
}

__attribute__((noinline)) int many(void) {
  int sum = 0;
  for (int i = 0; i < 7; i++)
    sum += nearest(points, 200);
  return sum;
}

int main(void) {
  for (int i = 0; i < 200; i++)
    points[i] = i * 37 % 101;
  return few() + many() == 0;
}
