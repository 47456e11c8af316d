/* The instructions that rewriting inserts (core specification, 5.4), and what stands in them. */
#ifndef WI_REWRITE_OPCODES_H_
#define WI_REWRITE_OPCODES_H_

enum {
  BLOCK = 0x02,
  LOOP = 0x03,
  IF = 0x04,
  ELSE = 0x05,
  END = 0x0b,
  BR = 0x0c,
  BR_IF = 0x0d,
  RETURN = 0x0f,
  CALL = 0x10,
  DROP = 0x1a,
  LOCAL_GET = 0x20,
  LOCAL_SET = 0x21,
  LOCAL_TEE = 0x22,
  GLOBAL_GET = 0x23,
  GLOBAL_SET = 0x24,
  I32_LOAD = 0x28,
  I64_LOAD = 0x29,
  I32_STORE = 0x36,
  I64_STORE = 0x37,
  MEMORY_SIZE = 0x3f,
  MEMORY_GROW = 0x40,
  I32_CONST = 0x41,
  I64_CONST = 0x42,
  I32_EQ = 0x46,
  I32_NE = 0x47,
  I32_LT_S = 0x48,
  I32_LT_U = 0x49,
  I32_GE_U = 0x4f,
  I64_EQZ = 0x50,
  I64_GE_U = 0x5a,
  I32_ADD = 0x6a,
  I32_SUB = 0x6b,
  I32_MUL = 0x6c,
  I32_AND = 0x71,
  I32_OR = 0x72,
  I32_XOR = 0x73,
  I32_SHL = 0x74,
  I32_SHR_U = 0x76,
  I64_ADD = 0x7c,
  I64_SUB = 0x7d,
  TYPE_I64 = 0x7e,
  TYPE_I32 = 0x7f,
  BLOCK_VOID = 0x40,
  MUTABLE = 0x01,
  PREFIX_FC = 0xfc,
  MEMORY_COPY = 0x0a /* after that prefix */
};

/* Bits of immediates and of data segments that say that the index of a memory follows. */
enum { MEMARG_HAS_MEMORY = 0x40, DATA_HAS_MEMORY = 0x02 };

#endif /* WI_REWRITE_OPCODES_H_ */
