#include "calls.h"
#include <cstdio>
#include <emscripten.h>
KEPT int times(int (*function)(int), int n) {
  int sum = 0;
  for (int i = 0; i < n; i++)
    sum += function(i);
  return sum;
}
// Each function of JavaScript that addFunction puts into the table may be a module of its own.
// clang-format off
EM_JS(int, add_all, (int count), {
  let sum = 0;
  for (let i = 0; i < count; i++)
    sum += _times(addFunction((n) => n + i, 'ii'), 3);
  return sum;
});
// clang-format on
int main() {
  printf("%d\n", add_all(200));
}
