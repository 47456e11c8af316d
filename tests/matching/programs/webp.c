/* Encodes pictures as WebP, with and without loss, and decodes them. */
#include <stdio.h>
#include <stdlib.h>
#include <webp/decode.h>
#include <webp/encode.h>

int main(void) {
  enum { WIDTH = 96, HEIGHT = 64 };
  uint8_t *pixels = malloc(WIDTH * HEIGHT * 4);
  for (unsigned i = 0, state = 1; i < WIDTH * HEIGHT * 4; ++i) {
    state = state * 1103515245u + 12345u;
    pixels[i] = (uint8_t)(i / 7 + (state >> 28));
  }
  for (int lossless = 0; lossless < 2; ++lossless) {
    uint8_t *packed;
    size_t size = lossless ? WebPEncodeLosslessRGBA(pixels, WIDTH, HEIGHT, WIDTH * 4, &packed)
                           : WebPEncodeRGBA(pixels, WIDTH, HEIGHT, WIDTH * 4, 60, &packed);
    int width, height;
    uint8_t *back = WebPDecodeRGBA(packed, size, &width, &height);
    printf("%zu %d %d %d\n", size, width, height, back != NULL);
    WebPFree(back);
    WebPFree(packed);
  }
  return 0;
}
