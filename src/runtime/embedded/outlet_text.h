/* Writes a profile as text to stderr, for hosts where no file can be written but output is kept. */
#ifndef WI_RUNTIME_EMBEDDED_OUTLET_TEXT_H_
#define WI_RUNTIME_EMBEDDED_OUTLET_TEXT_H_

#include <stdint.h>

/* The piece of the program's memory that is borrowed for it, from address 0 on, and its parts. */
enum {
  TEXT_AT_RESULT = 0,  /* the host's result */
  TEXT_AT_VECTOR = 32, /* a wasi_bytes */
  TEXT_AT_LINE = 64,
  TEXT_LINE_SIZE = 4096, /* the maximum for blocking-write-and-flush */
  TEXT_BORROWED_SIZE = TEXT_AT_LINE + TEXT_LINE_SIZE
};

/* Copy between the program's memory and the runtime's. See hooks/embedded/merge.h. */
void copy_to_program(uint32_t program_address, const void *bytes, uint32_t size);
void copy_from_program(void *bytes, uint32_t program_address, uint32_t size);

/*
 * Writes `size` bytes at TEXT_AT_LINE in the program's memory to stderr; returns 0 on failure. The
 * rewriter generates it: it calls one of the writers, text_put_wasip1 and so on, whose imports the
 * program has.
 */
uint32_t text_put(uint32_t size);

#endif /* WI_RUNTIME_EMBEDDED_OUTLET_TEXT_H_ */
