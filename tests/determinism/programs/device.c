/* Reads a file that is different each time, and hashes by what it read. */
#include <stdio.h>

__attribute__((noinline)) static unsigned hash_with(const unsigned char *seed, int rounds) {
  unsigned sum = 0;
  for (int i = 0; i < rounds; i++)
    sum = sum * 33 + seed[i % 8];
  return sum;
}

int main(void) {
  unsigned char seed[8] = {0};
  FILE *file = fopen("dev/urandom", "rb");
  if (!file || fread(seed, 1, sizeof seed, file) != sizeof seed)
    return 1;
  return hash_with(seed, seed[0] * 256 + seed[1]) == 1;
}
