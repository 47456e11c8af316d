/* Writes instructions in the text format. */
#ifndef WI_CODE_INSTRUCTION_TEXT_H_
#define WI_CODE_INSTRUCTION_TEXT_H_

#include <stdio.h>

#include "module/module.h"

/*
 * Writes the instruction at `offset` of a module whose code has been scanned: "i32.load offset=8"
 * or, if `names` knows the function, "call 12 (; parse ;)". Long lists and names are truncated.
 * `names` may be NULL.
 */
void wi_instruction_write(const wi_module *module, uint32_t offset, wi_names *names, FILE *stream);

/* How an opcode changes the nesting level. */
typedef struct wi_nesting {
  bool closes; /* end, else, catch, delegate: the level drops before it */
  bool opens;  /* block, loop, if, try, else, catch: the level rises after it */
} wi_nesting;

wi_nesting wi_instruction_nesting(uint8_t opcode);

#endif /* WI_CODE_INSTRUCTION_TEXT_H_ */
