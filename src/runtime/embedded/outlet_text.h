/* A profile as text on stderr: where no file can be written, but what is printed is kept. */
#ifndef WI_RUNTIME_EMBEDDED_OUTLET_TEXT_H_
#define WI_RUNTIME_EMBEDDED_OUTLET_TEXT_H_

#include <stdint.h>

/* The piece of the program's memory that is borrowed for it, from address 0 on, and its parts. */
enum {
  TEXT_AT_RESULT = 0,  /* what the host returns */
  TEXT_AT_VECTOR = 32, /* a wasi_bytes */
  TEXT_AT_LINE = 64,
  TEXT_LINE_SIZE = 4096, /* the most that blocking-write-and-flush takes */
  TEXT_BORROWED_SIZE = TEXT_AT_LINE + TEXT_LINE_SIZE
};

/* The program's memory and ours. See hooks/embedded/merge.h. */
void copy_to_program(uint32_t program_address, const void *bytes, uint32_t size);
void copy_from_program(void *bytes, uint32_t program_address, uint32_t size);

/*
 * Writes the line, which stands in the program's memory, to stderr; 0: the host does not take it.
 * The rewriter makes it: it calls that of the writers, text_put_wasip1 and so on, which can do with
 * what the program imports.
 */
uint32_t text_put(uint32_t size);

#endif /* WI_RUNTIME_EMBEDDED_OUTLET_TEXT_H_ */
