/* Compresses and decompresses at several levels. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <zstd.h>

int main(void) {
  enum { SIZE = 60000 };
  char *text = malloc(SIZE), *back = malloc(SIZE);
  for (unsigned i = 0, state = 1; i < SIZE; i++) {
    state = state * 1103515245u + 12345u;
    text[i] = (char)((state >> 16) % 7 == 0 ? 'a' + (state >> 20) % 26 : text[i > 40 ? i - 37 : 0]);
  }
  size_t bound = ZSTD_compressBound(SIZE);
  char *packed = malloc(bound);
  static const int levels[] = {1, 3, 6, 13};
  for (size_t i = 0; i < sizeof levels / sizeof *levels; i++) {
    size_t size = ZSTD_compress(packed, bound, text, SIZE, levels[i]);
    size_t got = ZSTD_decompress(back, SIZE, packed, size);
    printf("%d: %zu %d\n", levels[i], size, got == SIZE && memcmp(text, back, SIZE) == 0);
  }
  return 0;
}
