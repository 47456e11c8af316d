/* Emits instructions that find a node, count in it and set slots. */
#include "hooks/embedded/node_code.h"

#include "hooks/follow/asyncify.h"
#include "rewrite/opcodes.h"
#include "runtime/embedded/embed.h"

size_t wi_node_put_find(const wi_node_code *code, uint32_t function, bool shares, wi_buffer *out) {
  wi_put_index(out, GLOBAL_GET, code->embed->slot_global);
  wi_put_load(out, I32_LOAD, code->embed->memory_index, 0);
  wi_put_index(out, LOCAL_TEE, code->node_local);
  if (shares) {
    wi_put_load(out, I32_LOAD, code->embed->memory_index, 0);
    wi_put_i32(out, function);
    wi_buffer_u8(out, I32_NE);
  } else {
    wi_put_i32(out, EMBED_EMPTY);
    wi_buffer_u8(out, I32_AND);
  }
  size_t miss = out->size;
  wi_buffer_u8(out, IF);
  wi_buffer_u8(out, BLOCK_VOID);
  wi_put_i32(out, function);
  wi_put_i32(out, shares);
  wi_put_index(out, CALL, code->embed->enter);
  wi_put_index(out, LOCAL_SET, code->node_local);
  wi_buffer_u8(out, END);
  return miss;
}

void wi_node_put_running(const wi_node_code *code, wi_buffer *out) {
  wi_put_index(out, GLOBAL_GET, code->embed->slot_global);
  wi_put_load(out, I32_LOAD, code->embed->memory_index, 0);
  wi_put_i32(out, ~EMBED_TAG_MASK);
  wi_buffer_u8(out, I32_AND);
  wi_put_index(out, LOCAL_SET, code->node_local);
}

/* A slot that is not a pair is followed by a word with another tag, see embed.h. */
void wi_node_put_find_owner(const wi_node_code *code, wi_buffer *out) {
  wi_put_i32(out, wi_embed_root_address(code->embed));
  wi_put_index(out, GLOBAL_GET, code->embed->slot_global);
  wi_put_load(out, I32_LOAD, code->embed->memory_index, 4);
  wi_put_i32(out, EMBED_OWNER);
  wi_buffer_u8(out, I32_XOR);
  wi_put_index(out, LOCAL_TEE, code->node_local);
  wi_put_index(out, LOCAL_GET, code->node_local);
  wi_put_i32(out, EMBED_TAG_MASK);
  wi_buffer_u8(out, I32_AND);
  wi_buffer_u8(out, SELECT);
  wi_put_index(out, LOCAL_SET, code->node_local);
}

void wi_node_put_count_call(const wi_node_code *code, uint32_t offset, wi_buffer *out) {
  wi_put_index(out, LOCAL_GET, code->node_local);
  wi_put_index(out, LOCAL_GET, code->node_local);
  wi_put_load(out, I64_LOAD, code->embed->memory_index, offset);
  wi_asyncify_put_is_called(code->embed->asyncify_state, out);
  wi_buffer_u8(out, I64_ADD);
  wi_put_store(out, I64_STORE, code->embed->memory_index, offset);
}

void wi_node_put_address(const wi_node_code *code, uint32_t offset, wi_buffer *out) {
  wi_put_index(out, LOCAL_GET, code->node_local);
  wi_put_i32(out, offset);
  wi_buffer_u8(out, I32_ADD);
}

void wi_node_put_set_slot(const wi_node_code *code, uint32_t offset, wi_buffer *out) {
  wi_node_put_address(code, offset, out);
  wi_put_index(out, GLOBAL_SET, code->embed->slot_global);
}

/* Increments the count at `address` plus an offset, which is on the stack twice. */
static void put_increment(const wi_node_code *code, uint32_t address, wi_buffer *out) {
  wi_put_load(out, I64_LOAD, code->embed->memory_index, address);
  wi_put_i64(out, 1);
  wi_buffer_u8(out, I64_ADD);
  wi_put_store(out, I64_STORE, code->embed->memory_index, address);
}

/* Replaces the local's index by the offset of its count; larger indices are the last one's. */
static void put_offset_of_entry(uint32_t local, uint32_t last, wi_buffer *out) {
  enum { LOG_COUNT_SIZE = 3 };
  wi_put_index(out, LOCAL_GET, local);
  wi_put_i32(out, last);
  wi_put_index(out, LOCAL_GET, local);
  wi_put_i32(out, last);
  wi_buffer_u8(out, I32_LE_U);
  wi_buffer_u8(out, SELECT);
  wi_put_i32(out, LOG_COUNT_SIZE);
  wi_buffer_u8(out, I32_SHL);
  wi_put_index(out, LOCAL_TEE, local);
}

uint32_t wi_node_put_counter(const wi_node_code *code, const wi_site *site, uint32_t address,
                             wi_buffer *out) {
  enum { COUNT_SIZE = 8 };
  bool is_table = site->kind == WI_SITE_TABLE_EDGES;
  if (is_table) {
    wi_put_index(out, LOCAL_TEE, code->index_local); /* the operand stays on the stack */
    put_offset_of_entry(code->index_local, site->value - 1, out);
    wi_put_index(out, LOCAL_GET, code->index_local);
  } else {
    wi_put_i32(out, 0);
    wi_put_i32(out, 0);
  }
  put_increment(code, address, out);
  return COUNT_SIZE * (is_table ? site->value : 1);
}
