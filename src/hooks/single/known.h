/*
 * Which addresses in locals are known to be the program's: a local that was used for an access keeps its
 * value until it is set, and the program's end never moves down. So later accesses through it need no
 * check, unless their offsets are larger.
 */
#ifndef WI_HOOKS_SINGLE_KNOWN_H_
#define WI_HOOKS_SINGLE_KNOWN_H_

#include <stdbool.h>
#include <stdint.h>

enum { WI_KNOWN_COUNT = 8, WI_KNOWN_DEPTH = 16 };
#define WI_NO_LOCAL UINT32_MAX

/* Within code that is entered only at its start. Zero it. */
typedef struct wi_known {
  struct {
    uint32_t local;
    uint64_t behind; /* the program has all bytes from the local's value on, up to this offset */
  } facts[WI_KNOWN_COUNT];
  uint32_t count, next;
  uint32_t
      stack[WI_KNOWN_DEPTH]; /* the top of the stack: locals with these values, or WI_NO_LOCAL */
  uint32_t depth;
} wi_known;

/* Takes in the instruction at `code`, after wi_known_address for its own address. */
void wi_known_pass(wi_known *known, const uint8_t *code);

/* The local whose value lies that deep in the stack, 0: on its top; or WI_NO_LOCAL. */
uint32_t wi_known_address(const wi_known *known, uint32_t depth);

bool wi_known_has(const wi_known *known, uint32_t local, uint64_t behind);
void wi_known_add(wi_known *known, uint32_t local, uint64_t behind);

#endif /* WI_HOOKS_SINGLE_KNOWN_H_ */
