/* The table of accesses: core specification 3.0, 5.4, and the overview of threads. */
#include "code/accesses.h"

#include <stddef.h>

#include "code/opcodes.h"
#include "code/scan.h"

/* Consecutive opcodes that take the same number of operands above the address. */
typedef struct row {
  uint32_t first;
  uint32_t count;
  const char *sizes;                            /* one digit for each opcode; 'g' is 16 */
  const char *first_operands, *second_operands; /* types, one letter for each; NULL: none */
} row;

#define ATOMIC_SIZES "4812124"
#define ATOMIC_TYPES "iliilll"

static const row rows[] = {
    {0x28, 14, "48481122112244", NULL, NULL},
    {0x36, 9, "484812124", "ilfdiilll", NULL},
    {WI_PREFIXED(PREFIX_FD, 0x00), 11, "g8888881248", NULL, NULL},
    {WI_PREFIXED(PREFIX_FD, 0x0b), 1, "g", "v", NULL},
    {WI_PREFIXED(PREFIX_FD, 0x54), 8, "12481248", "vvvvvvvv", NULL},
    {WI_PREFIXED(PREFIX_FD, 0x5c), 2, "48", NULL, NULL},
    {WI_PREFIXED(PREFIX_FE, 0x00), 1, "4", "i", NULL},
    {WI_PREFIXED(PREFIX_FE, 0x01), 2, "48", "il", "ll"},
    {WI_PREFIXED(PREFIX_FE, 0x10), 7, ATOMIC_SIZES, NULL, NULL},
    {WI_PREFIXED(PREFIX_FE, 0x17), 7, ATOMIC_SIZES, ATOMIC_TYPES, NULL},
    {WI_PREFIXED(PREFIX_FE, 0x1e), 7, ATOMIC_SIZES, ATOMIC_TYPES, NULL},
    {WI_PREFIXED(PREFIX_FE, 0x25), 7, ATOMIC_SIZES, ATOMIC_TYPES, NULL},
    {WI_PREFIXED(PREFIX_FE, 0x2c), 7, ATOMIC_SIZES, ATOMIC_TYPES, NULL},
    {WI_PREFIXED(PREFIX_FE, 0x33), 7, ATOMIC_SIZES, ATOMIC_TYPES, NULL},
    {WI_PREFIXED(PREFIX_FE, 0x3a), 7, ATOMIC_SIZES, ATOMIC_TYPES, NULL},
    {WI_PREFIXED(PREFIX_FE, 0x41), 7, ATOMIC_SIZES, ATOMIC_TYPES, NULL},
    {WI_PREFIXED(PREFIX_FE, 0x48), 7, ATOMIC_SIZES, ATOMIC_TYPES, ATOMIC_TYPES},
};

static uint8_t type_of(char letter) {
  switch (letter) {
  case 'i': return TYPE_I32;
  case 'l': return TYPE_I64;
  case 'f': return TYPE_F32;
  case 'd': return TYPE_F64;
  default: return TYPE_V128;
  }
}

bool wi_access_of(uint32_t opcode, wi_access *access) {
  for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
    const row *r = &rows[i];
    uint32_t at = opcode - r->first;
    if (at >= r->count)
      continue;
    *access = (wi_access){.size = r->sizes[at] == 'g' ? 16 : (uint8_t)(r->sizes[at] - '0')};
    if (r->first_operands)
      access->operands[access->operand_count++] = type_of(r->first_operands[at]);
    if (r->second_operands)
      access->operands[access->operand_count++] = type_of(r->second_operands[at]);
    return true;
  }
  return false;
}
