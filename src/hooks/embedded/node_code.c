/* Emits instructions that find a node, count in it and set slots. */
#include "hooks/embedded/node_code.h"

#include "hooks/follow/asyncify.h"
#include "rewrite/opcodes.h"
#include "runtime/embedded/embed.h"

#define ALIGN_4 2 /* log2, as in a memarg */
#define ALIGN_8 3

static void put_constant(uint32_t value, wi_buffer *out) {
  wi_buffer_u8(out, I32_CONST);
  wi_buffer_s32(out, (int32_t)value);
}

/* A load or store in the added memory. */
static void put_access(const wi_node_code *code, uint8_t opcode, uint8_t align, uint32_t offset,
                       wi_buffer *out) {
  wi_buffer_u8(out, opcode);
  wi_buffer_u8(out, align | MEMARG_HAS_MEMORY);
  wi_buffer_u32(out, code->embed->memory_index);
  wi_buffer_u32(out, offset);
}

size_t wi_node_put_find(const wi_node_code *code, uint32_t function, bool shares, wi_buffer *out) {
  wi_put_index(out, GLOBAL_GET, code->embed->slot_global);
  put_access(code, I32_LOAD, ALIGN_4, 0, out);
  wi_put_index(out, LOCAL_TEE, code->node_local);
  if (shares) {
    put_access(code, I32_LOAD, ALIGN_4, 0, out);
    put_constant(function, out);
    wi_buffer_u8(out, I32_NE);
  } else {
    put_constant(EMBED_EMPTY, out);
    wi_buffer_u8(out, I32_AND);
  }
  size_t miss = out->size;
  wi_buffer_u8(out, IF);
  wi_buffer_u8(out, BLOCK_VOID);
  put_constant(function, out);
  put_constant(shares, out);
  wi_put_index(out, CALL, code->embed->enter);
  wi_put_index(out, LOCAL_SET, code->node_local);
  wi_buffer_u8(out, END);
  return miss;
}

void wi_node_put_running(const wi_node_code *code, wi_buffer *out) {
  wi_put_index(out, GLOBAL_GET, code->embed->slot_global);
  put_access(code, I32_LOAD, ALIGN_4, 0, out);
  put_constant(~EMBED_TAG_MASK, out);
  wi_buffer_u8(out, I32_AND);
  wi_put_index(out, LOCAL_SET, code->node_local);
}

/* A slot that is not a pair is followed by a word with another tag, see embed.h. */
void wi_node_put_find_owner(const wi_node_code *code, wi_buffer *out) {
  put_constant(wi_embed_root_address(code->embed), out);
  wi_put_index(out, GLOBAL_GET, code->embed->slot_global);
  put_access(code, I32_LOAD, ALIGN_4, 4, out);
  put_constant(EMBED_OWNER, out);
  wi_buffer_u8(out, I32_XOR);
  wi_put_index(out, LOCAL_TEE, code->node_local);
  wi_put_index(out, LOCAL_GET, code->node_local);
  put_constant(EMBED_TAG_MASK, out);
  wi_buffer_u8(out, I32_AND);
  wi_buffer_u8(out, SELECT);
  wi_put_index(out, LOCAL_SET, code->node_local);
}

void wi_node_put_count_call(const wi_node_code *code, uint32_t offset, wi_buffer *out) {
  wi_put_index(out, LOCAL_GET, code->node_local);
  wi_put_index(out, LOCAL_GET, code->node_local);
  put_access(code, I64_LOAD, ALIGN_8, offset, out);
  wi_asyncify_put_is_called(code->embed->asyncify_state, out);
  wi_buffer_u8(out, I64_ADD);
  put_access(code, I64_STORE, ALIGN_8, offset, out);
}

void wi_node_put_address(const wi_node_code *code, uint32_t offset, wi_buffer *out) {
  wi_put_index(out, LOCAL_GET, code->node_local);
  put_constant(offset, out);
  wi_buffer_u8(out, I32_ADD);
}

void wi_node_put_set_slot(const wi_node_code *code, uint32_t offset, wi_buffer *out) {
  wi_node_put_address(code, offset, out);
  wi_put_index(out, GLOBAL_SET, code->embed->slot_global);
}

void wi_node_put_count_block(const wi_node_code *code, uint32_t address, wi_buffer *out) {
  put_constant(0, out);
  put_constant(0, out);
  put_access(code, I64_LOAD, ALIGN_8, address, out);
  wi_buffer_u8(out, I64_CONST);
  wi_buffer_s64(out, 1);
  wi_buffer_u8(out, I64_ADD);
  put_access(code, I64_STORE, ALIGN_8, address, out);
}
