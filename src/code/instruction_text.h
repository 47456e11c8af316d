/* Instructions in the text format. */
#ifndef WI_CODE_INSTRUCTION_TEXT_H_
#define WI_CODE_INSTRUCTION_TEXT_H_

#include <stdio.h>

#include "module/module.h"

/*
 * Writes the instruction at `offset` of a module whose code has been scanned, as "i32.load
 * offset=8" or, of a function that `names` knows, "call 12 (; parse ;)". What is long is cut.
 * `names` may be NULL.
 */
void wi_instruction_write(const wi_module *module, uint32_t offset, wi_names *names, FILE *stream);

/* By how many levels what follows the opcode is nested deeper, and what stands before it is not. */
typedef struct wi_nesting {
  bool closes; /* end, else, catch, delegate: one level less from here on */
  bool opens;  /* block, loop, if, try, else, catch: what follows is one level deeper */
} wi_nesting;

wi_nesting wi_instruction_nesting(uint8_t opcode);

#endif /* WI_CODE_INSTRUCTION_TEXT_H_ */
