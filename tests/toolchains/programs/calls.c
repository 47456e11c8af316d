#include <stdio.h>

#define KEPT __attribute__((noinline, used))

KEPT static int leaf(int n) {
  return n * 3 + 1;
}

KEPT static int branch(int n) {
  return n > 0 ? leaf(n) + branch(n - 1) : 0;
}

int main(void) {
  int sum = 0;
  for (int i = 0; i < 10; i++)
    sum += branch(i);
  printf("%d\n", sum);
}
