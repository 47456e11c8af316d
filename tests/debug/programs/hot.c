static unsigned mix(unsigned x) {
  for (int i = 0; i < 100; i++)
    x = x * 1664525u + 1013904223u;
  return x;
}
__attribute__((noinline)) unsigned grind(unsigned n) {
  unsigned x = 1;
  for (unsigned i = 0; i < n; i++)
    x = mix(x);
  return x;
}
int main(void) {
  return grind(3000000) == 42;
}
