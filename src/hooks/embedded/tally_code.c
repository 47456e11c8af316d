/* Emits instructions that count instructions. */
#include "hooks/embedded/tally_code.h"

#include "rewrite/opcodes.h"
#include "runtime/embedded/embed.h"

void wi_tally_put_count(const wi_tally_code *code, wi_tally tally, wi_buffer *out) {
  if (tally.step != WI_TALLY_SET && tally.step != WI_TALLY_ADD)
    return;
  if (tally.step == WI_TALLY_ADD)
    wi_put_index(out, LOCAL_GET, code->self_local);
  wi_put_i64(out, tally.constant);
  if (tally.step == WI_TALLY_ADD)
    wi_buffer_u8(out, I64_ADD);
  wi_put_index(out, LOCAL_SET, code->self_local);
}

/* Adds the pending count to the number on the stack. */
static void put_add(const wi_tally_code *code, wi_tally tally, wi_buffer *out) {
  if (tally.step == WI_TALLY_FLUSH_WITH_LOCAL) {
    wi_put_index(out, LOCAL_GET, code->self_local);
    wi_buffer_u8(out, I64_ADD);
  }
  if (tally.constant != 0) {
    wi_put_i64(out, tally.constant);
    wi_buffer_u8(out, I64_ADD);
  }
}

void wi_tally_put_flush(const wi_tally_code *code, wi_tally tally, wi_buffer *out) {
  if (tally.step != WI_TALLY_FLUSH && tally.step != WI_TALLY_FLUSH_WITH_LOCAL)
    return;
  wi_put_index(out, LOCAL_GET, code->node_local);
  wi_put_index(out, LOCAL_GET, code->node_local);
  wi_put_load(out, I64_LOAD, code->memory_index, EMBED_NODE_SELF);
  put_add(code, tally, out);
  wi_put_store(out, I64_STORE, code->memory_index, EMBED_NODE_SELF);
  if (code->executed_global == WI_NO_GLOBAL)
    return;
  wi_put_index(out, GLOBAL_GET, code->executed_global);
  put_add(code, tally, out);
  wi_put_index(out, GLOBAL_SET, code->executed_global);
}

void wi_tally_put_zero(const wi_tally_code *code, wi_buffer *out) {
  wi_put_i64(out, 0);
  wi_put_index(out, LOCAL_SET, code->self_local);
}
