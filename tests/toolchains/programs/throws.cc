#include "calls.h"
#include <cstdio>
KEPT int thrower(int n) {
  if (n % 4 == 0)
    throw n;
  return n;
}
KEPT int middle(int n) {
  return thrower(n) + 1;
}
KEPT int after(int n) {
  return n - 1;
}
KEPT int catcher(int n) {
  try {
    return middle(n);
  } catch (int thrown) {
    return after(thrown);
  }
}
int main() {
  int sum = 0;
  for (int i = 0; i < 100; i++)
    sum += catcher(i);
  printf("%d\n", sum);
}
