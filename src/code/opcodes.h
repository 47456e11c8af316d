/*
 * Opcodes that other sources search for or insert (core specification, 5.4), and constants in their
 * immediates. opcodes.def has all opcodes with their immediates.
 */
#ifndef WI_CODE_OPCODES_H_
#define WI_CODE_OPCODES_H_

enum {
  UNREACHABLE = 0x00,
  BLOCK = 0x02,
  LOOP = 0x03,
  IF = 0x04,
  ELSE = 0x05,
  TRY = 0x06,
  END = 0x0b,
  BR = 0x0c,
  BR_IF = 0x0d,
  BR_TABLE = 0x0e,
  RETURN = 0x0f,
  CALL = 0x10,
  CALL_INDIRECT = 0x11,
  RETURN_CALL = 0x12,
  RETURN_CALL_INDIRECT = 0x13,
  DROP = 0x1a,
  SELECT = 0x1b,
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
  I32_EQZ = 0x45,
  I32_EQ = 0x46,
  I32_NE = 0x47,
  I32_GT_U = 0x4b,
  I32_LE_U = 0x4d,
  I64_EQZ = 0x50,
  I64_EQ = 0x51,
  I64_NE = 0x52,
  I64_GT_U = 0x56,
  I64_LE_U = 0x58,
  I32_ADD = 0x6a,
  I32_SUB = 0x6b,
  I32_AND = 0x71,
  I32_OR = 0x72,
  I32_XOR = 0x73,
  I32_SHL = 0x74,
  I32_SHR_U = 0x76,
  I64_ADD = 0x7c,
  I64_SUB = 0x7d,
  I64_MUL = 0x7e,
  I64_OR = 0x84,
  I64_SHL = 0x86,
  I64_SHR_U = 0x88,
  I32_WRAP_I64 = 0xa7,
  I64_EXTEND_I32_S = 0xac,
  I64_EXTEND_I32_U = 0xad,
  BR_ON_NULL = 0xd5,
  BR_ON_NON_NULL = 0xd6,
  TYPE_V128 = 0x7b,
  TYPE_F64 = 0x7c,
  TYPE_F32 = 0x7d,
  TYPE_I64 = 0x7e,
  TYPE_I32 = 0x7f,
  BLOCK_VOID = 0x40,
  MUTABLE = 0x01,
  PREFIX_FB = 0xfb,
  PREFIX_FC = 0xfc,
  PREFIX_FD = 0xfd,
  PREFIX_FE = 0xfe
};

/* Codes after those prefixes. */
enum { STRUCT_NEW, STRUCT_NEW_DEFAULT };
enum { ARRAY_NEW = 0x06, ARRAY_NEW_DEFAULT, ARRAY_NEW_FIXED, ARRAY_NEW_DATA, ARRAY_NEW_ELEM };
enum { ARRAY_FILL = 0x10, ARRAY_COPY, ARRAY_INIT_DATA, ARRAY_INIT_ELEM };
enum { MEMORY_INIT = 0x08, MEMORY_COPY = 0x0a, MEMORY_FILL };
enum { TABLE_INIT = 0x0c, TABLE_COPY = 0x0e, TABLE_FILL = 0x11 };

/* Bits in immediates and data segment flags: a memory index follows. */
enum { MEMARG_HAS_MEMORY = 0x40, DATA_HAS_MEMORY = 0x02 };

#endif /* WI_CODE_OPCODES_H_ */
