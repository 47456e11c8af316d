#include "calls.h"
#include <atomic>
#include <cstdio>
#include <thread>
static std::atomic<int> sum;
KEPT void add(int n) {
  sum += n;
}
KEPT void adds(int n) {
  for (int i = 0; i < 100; i++)
    add(n);
}
int main() {
  std::thread first(adds, 1), second(adds, 2);
  adds(3);
  first.join();
  second.join();
  printf("%d\n", sum.load());
}
