#include "calls.h"
#include <cstdio>
#include <dlfcn.h>
KEPT int host_side(int n) {
  return n + 1;
}
int main() {
  void *library = dlopen("side.wasm", RTLD_NOW);
  if (!library)
    return puts(dlerror());
  auto twice = (int (*)(int))dlsym(library, "side_twice");
  int sum = 0;
  for (int i = 0; i < 20; i++)
    sum += twice(i);
  printf("%d\n", sum);
}
