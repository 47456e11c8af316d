/* Packs a text with bzip2 and unpacks it. */
#include <bzlib.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

void bz_internal_error(int code) {
  printf("error %d\n", code);
}

int main(void) {
  enum { SIZE = 60000, ROOM = SIZE + SIZE / 100 + 600 };
  char *text = malloc(SIZE), *packed = malloc(ROOM), *back = malloc(SIZE);
  for (unsigned i = 0, state = 1; i < SIZE; ++i) {
    state = state * 1103515245u + 12345u;
    text[i] = (char)('a' + (state >> 16) % 7);
  }
  for (int small = 0; small < 2; ++small) {
    unsigned size = ROOM, got = SIZE;
    BZ2_bzBuffToBuffCompress(packed, &size, text, SIZE, 5, 0, 30);
    BZ2_bzBuffToBuffDecompress(back, &got, packed, size, small, 0);
    printf("%u %d\n", size, got == SIZE && memcmp(text, back, SIZE) == 0);
  }
  return 0;
}
