/* What instructions that access a memory take from the stack, and how many bytes they access. */
#ifndef WI_CODE_ACCESSES_H_
#define WI_CODE_ACCESSES_H_

#include <stdbool.h>
#include <stdint.h>

/* A load, store or atomic access, whose immediates begin with a memarg. */
typedef struct wi_access {
  uint8_t size;        /* in bytes */
  uint8_t operands[2]; /* value types of what lies above the address on the stack, lowest first */
  uint8_t operand_count;
} wi_access;

/* Finds the access of an opcode as in wi_instruction. Returns false for all other instructions. */
bool wi_access_of(uint32_t opcode, wi_access *access);

#endif /* WI_CODE_ACCESSES_H_ */
