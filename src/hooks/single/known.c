/* Follows values of locals through straight code. */
#include "hooks/single/known.h"

#include <string.h>

#include "code/opcodes.h"

/* ---- Facts ----------------------------------------------------------------------------- */

bool wi_known_has(const wi_known *known, uint32_t local, uint64_t behind) {
  for (uint32_t i = 0; i < known->count; i++)
    if (known->facts[i].local == local && known->facts[i].behind >= behind)
      return true;
  return false;
}

void wi_known_add(wi_known *known, uint32_t local, uint64_t behind) {
  uint32_t place = 0;
  while (place < known->count && known->facts[place].local != local)
    place++;
  if (place == WI_KNOWN_COUNT) /* the oldest */
    place = known->next++ % WI_KNOWN_COUNT;
  else if (place == known->count)
    known->count++;
  known->facts[place].local = local;
  known->facts[place].behind = behind;
}

static void forget_local(wi_known *known, uint32_t local) {
  for (uint32_t i = 0; i < known->count; i++)
    if (known->facts[i].local == local)
      known->facts[i].local = WI_NO_LOCAL;
  for (uint32_t i = 0; i < known->depth; i++)
    if (known->stack[i] == local)
      known->stack[i] = WI_NO_LOCAL;
}

/* ---- The stack ------------------------------------------------------------------------- */

uint32_t wi_known_address(const wi_known *known, uint32_t depth) {
  return depth < known->depth ? known->stack[known->depth - 1 - depth] : WI_NO_LOCAL;
}

static void push(wi_known *known, uint32_t local) {
  if (known->depth == WI_KNOWN_DEPTH)
    memmove(known->stack, known->stack + 1, --known->depth * sizeof *known->stack);
  known->stack[known->depth++] = local;
}

static void pop(wi_known *known, uint32_t count) {
  known->depth -= count < known->depth ? count : known->depth;
}

/* What instructions take from the stack and leave there: [first, last], operands, results. */
typedef struct effect {
  uint8_t first, last, operands, results;
} effect;

static const effect effects[] = {
    {0x01, 0x01, 0, 0}, /* nop */
    {DROP, DROP, 1, 0},
    {SELECT, SELECT, 3, 1}, /* of numbers */
    {GLOBAL_GET, GLOBAL_GET, 0, 1},
    {GLOBAL_SET, GLOBAL_SET, 1, 0},
    {I32_LOAD, 0x35, 1, 1},
    {I32_STORE, 0x3e, 2, 0},
    {MEMORY_SIZE, MEMORY_SIZE, 0, 1},
    {MEMORY_GROW, MEMORY_GROW, 1, 1},
    {I32_CONST, 0x44, 0, 1},
    {I32_EQZ, I32_EQZ, 1, 1},
    {I32_EQ, 0x4f, 2, 1},
    {I64_EQZ, I64_EQZ, 1, 1},
    {I64_EQ, 0x66, 2, 1},
    {0x67, 0x69, 1, 1}, /* clz ctz popcnt */
    {I32_ADD, 0x78, 2, 1},
    {0x79, 0x7b, 1, 1},
    {I64_ADD, 0x8a, 2, 1},
    {0x8b, 0x91, 1, 1}, /* f32 */
    {0x92, 0x98, 2, 1},
    {0x99, 0x9f, 1, 1}, /* f64 */
    {0xa0, 0xa6, 2, 1},
    {I32_WRAP_I64, 0xc4, 1, 1},
};

static const effect *find_effect(uint8_t opcode) {
  for (uint32_t i = 0; i < sizeof effects / sizeof *effects; i++)
    if (opcode >= effects[i].first && opcode <= effects[i].last)
      return &effects[i];
  return NULL;
}

/* Whether code may be reached from elsewhere behind it: all structured instructions but block and if. */
static bool is_joined(uint8_t opcode) {
  enum { CATCH = 0x07, DELEGATE = 0x18, CATCH_ALL = 0x19, TRY_TABLE = 0x1f };
  return opcode == LOOP || opcode == ELSE || opcode == TRY || opcode == CATCH || opcode == END ||
         opcode == DELEGATE || opcode == CATCH_ALL || opcode == TRY_TABLE;
}

static uint32_t read_index(const uint8_t *at) {
  uint32_t value = 0;
  for (uint32_t shift = 0;; shift += 7, at++) {
    value |= (uint32_t)(*at & 0x7f) << shift;
    if (*at < 0x80)
      return value;
  }
}

static void pass_local(wi_known *known, uint8_t opcode, uint32_t local) {
  if (opcode != LOCAL_GET) {
    pop(known, 1);
    forget_local(known, local);
  }
  if (opcode != LOCAL_SET)
    push(known, local);
}

void wi_known_pass(wi_known *known, const uint8_t *code) {
  uint8_t opcode = *code;
  if (opcode >= LOCAL_GET && opcode <= LOCAL_TEE) {
    pass_local(known, opcode, read_index(code + 1));
    return;
  }
  const effect *known_effect = find_effect(opcode);
  if (known_effect) {
    pop(known, known_effect->operands);
    for (uint32_t i = 0; i < known_effect->results; i++)
      push(known, WI_NO_LOCAL);
    return;
  }
  known->depth = 0;
  if (is_joined(opcode))
    known->count = 0;
}
