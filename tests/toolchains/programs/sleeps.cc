#include "calls.h"
#include <cstdio>
#include <emscripten.h>
KEPT int work(int n) {
  return n * 7 % 5;
}
KEPT int rests(int n) {
  emscripten_sleep(1);
  return work(n);
}
int main() {
  int sum = 0;
  for (int i = 0; i < 5; i++)
    sum += rests(i);
  printf("%d\n", sum);
}
