/* LEB128 sizes and encodings (WebAssembly core specification, 5.2.2 Integers). */
#ifndef WI_SUPPORT_LEB128_H_
#define WI_SUPPORT_LEB128_H_

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define WI_LEB128_U32_MAX_SIZE 5
#define WI_LEB128_U64_MAX_SIZE 10

/* Size of the shortest unsigned encoding. */
static inline size_t wi_leb128_u32_size(uint32_t value) {
  size_t size = 1;
  while (value >>= 7)
    size++;
  return size;
}

/* Writes the shortest unsigned encoding to `bytes` and returns its size. */
static inline size_t wi_leb128_u32_write(uint8_t *bytes, uint32_t value) {
  size_t size = 0;
  for (; value >= 0x80; value >>= 7)
    bytes[size++] = (uint8_t)(value | 0x80);
  bytes[size++] = (uint8_t)value;
  return size;
}

/* Writes the shortest signed encoding to `bytes` and returns its size. */
static inline size_t wi_leb128_s64_write(uint8_t *bytes, int64_t value) {
  size_t size = 0;
  for (;;) {
    uint8_t low = (uint8_t)(value & 0x7f);
    /* All supported compilers shift negative values arithmetically. */
    value >>= 7;
    bool last = (value == 0 && !(low & 0x40)) || (value == -1 && (low & 0x40));
    bytes[size++] = last ? low : (uint8_t)(low | 0x80);
    if (last)
      return size;
  }
}

#endif /* WI_SUPPORT_LEB128_H_ */
