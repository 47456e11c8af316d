#include "calls.h"
#include <cstdio>
KEPT int leaf(int n) {
  return n * 3 + 1;
}
KEPT int branch(int n) {
  return n > 0 ? leaf(n) - branch(n - 1) : 0; // a sum would be made a loop
}
int main() {
  int sum = 0;
  for (int i = 0; i < 10; i++)
    sum += branch(i);
  printf("%d\n", sum);
}
