/* Emits instructions that count instructions. */
#include "hooks/embedded/tally_code.h"

#include "rewrite/opcodes.h"
#include "runtime/embedded/embed.h"

#define ALIGN_8 3 /* log2, as in a memarg */

static void put_constant(int64_t constant, wi_buffer *out) {
  wi_buffer_u8(out, I64_CONST);
  wi_buffer_s64(out, constant);
}

/* A load or store of the node's `self`. */
static void put_access(const wi_tally_code *code, uint8_t opcode, wi_buffer *out) {
  wi_buffer_u8(out, opcode);
  wi_buffer_u8(out, ALIGN_8 | MEMARG_HAS_MEMORY);
  wi_buffer_u32(out, code->memory_index);
  wi_buffer_u32(out, EMBED_NODE_SELF);
}

void wi_tally_put_count(const wi_tally_code *code, wi_tally tally, wi_buffer *out) {
  if (tally.step != WI_TALLY_SET && tally.step != WI_TALLY_ADD)
    return;
  if (tally.step == WI_TALLY_ADD)
    wi_put_index(out, LOCAL_GET, code->self_local);
  put_constant(tally.constant, out);
  if (tally.step == WI_TALLY_ADD)
    wi_buffer_u8(out, I64_ADD);
  wi_put_index(out, LOCAL_SET, code->self_local);
}

void wi_tally_put_flush(const wi_tally_code *code, wi_tally tally, wi_buffer *out) {
  if (tally.step != WI_TALLY_FLUSH && tally.step != WI_TALLY_FLUSH_WITH_LOCAL)
    return;
  wi_put_index(out, LOCAL_GET, code->node_local);
  wi_put_index(out, LOCAL_GET, code->node_local);
  put_access(code, I64_LOAD, out);
  if (tally.step == WI_TALLY_FLUSH_WITH_LOCAL) {
    wi_put_index(out, LOCAL_GET, code->self_local);
    wi_buffer_u8(out, I64_ADD);
  }
  if (tally.constant != 0) {
    put_constant(tally.constant, out);
    wi_buffer_u8(out, I64_ADD);
  }
  put_access(code, I64_STORE, out);
}

void wi_tally_put_zero(const wi_tally_code *code, wi_buffer *out) {
  put_constant(0, out);
  wi_put_index(out, LOCAL_SET, code->self_local);
}
