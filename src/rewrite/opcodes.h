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

#endif /* WI_REWRITE_OPCODES_H_ */
