/* Writes instructions that are inserted. */
#ifndef WI_REWRITE_OPCODES_H_
#define WI_REWRITE_OPCODES_H_

#include "code/opcodes.h"
#include "support/buffer.h"

/*
 * Appends an instruction whose only immediate is an index: of a local, global, function or label.
 */
static inline void wi_put_index(wi_buffer *out, uint8_t opcode, uint32_t index) {
  wi_buffer_u8(out, opcode);
  wi_buffer_u32(out, index);
}

static inline void wi_put_i32(wi_buffer *out, uint32_t constant) {
  wi_buffer_u8(out, I32_CONST);
  wi_buffer_s32(out, (int32_t)constant);
}

static inline void wi_put_i64(wi_buffer *out, int64_t constant) {
  wi_buffer_u8(out, I64_CONST);
  wi_buffer_s64(out, constant);
}

/* For `memory` below: the program's first one, in a memarg without an index. */
#define WI_FIRST_MEMORY UINT32_MAX

/* Appends a load of a whole I32 or I64, which is aligned, from this memory. */
static inline void wi_put_load(wi_buffer *out, uint8_t opcode, uint32_t memory, uint32_t offset) {
  enum { LOG_4 = 2, LOG_8 = 3 };
  uint32_t align = opcode == I32_LOAD || opcode == I32_STORE ? LOG_4 : LOG_8;
  wi_buffer_u8(out, opcode);
  wi_buffer_u32(out, memory == WI_FIRST_MEMORY ? align : align | MEMARG_HAS_MEMORY);
  if (memory != WI_FIRST_MEMORY)
    wi_buffer_u32(out, memory);
  wi_buffer_u32(out, offset);
}

/* The same for a store. */
static inline void wi_put_store(wi_buffer *out, uint8_t opcode, uint32_t memory, uint32_t offset) {
  wi_put_load(out, opcode, memory, offset);
}

#endif /* WI_REWRITE_OPCODES_H_ */
