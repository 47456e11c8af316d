/* What the functions share that take the place of WASI's: see fixed_wasi.c. */
#ifndef WI_RUNTIME_EMBEDDED_FIXED_WASI_H_
#define WI_RUNTIME_EMBEDDED_FIXED_WASI_H_

#include <stdbool.h>
#include <stdint.h>

#include "runtime/wasi.h"

#define START_TIME UINT64_C(1000000000000000000) /* nanoseconds since 1970: September 9, 2001 */

/* The program's memory and ours, and one word of the program's. See hooks/embedded/merge.h. */
void copy_to_program(uint32_t program_address, const void *bytes, uint32_t size);
void copy_from_program(void *bytes, uint32_t program_address, uint32_t size);
uint32_t program_u32(uint32_t address);

static inline void put_word(uint32_t address, uint32_t value) {
  static uint32_t word;
  word = value;
  copy_to_program(address, &word, sizeof word);
}

static inline void put_long(uint32_t address, uint64_t value) {
  static uint64_t word;
  word = value;
  copy_to_program(address, &word, sizeof word);
}

static inline uint64_t long_at(uint32_t address) {
  static uint64_t value;
  copy_from_program(&value, address, sizeof value);
  return value;
}

static inline bool embed_is_stream(uint32_t fd) {
  return fd <= WASI_FD_STDERR;
}

#endif /* WI_RUNTIME_EMBEDDED_FIXED_WASI_H_ */
