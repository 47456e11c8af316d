#include "rewrite/guest_hooks.h"

#include <stddef.h>

#include "rewrite/opcodes.h"

#define ALIGN_4 2 /* as a power of two */

enum { LOCAL_ADDRESS, LOCAL_FRAME, I32_COUNT }; /* operands of the store */

void wi_guest_place(wi_guest_functions *functions, const wi_merge *runtime) {
  functions->begin = wi_merge_function(runtime, "guest_begin");
  functions->change = wi_merge_function(runtime, "guest_switch");
}

uint32_t wi_guest_i32_count(const wi_guest_hooks *hooks) {
  return hooks->is_interpreter ? I32_COUNT : 0;
}

/* ---- Instructions ----------------------------------------------------------- */

static void put_if(wi_buffer *out) {
  wi_buffer_u8(out, IF);
  wi_buffer_u8(out, BLOCK_VOID);
}

/* A word of the description. */
static void put_word(const wi_guest_hooks *hooks, size_t offset, wi_buffer *out) {
  wi_buffer_u8(out, I32_CONST);
  wi_buffer_s32(out, 0);
  wi_buffer_u8(out, I32_LOAD);
  wi_buffer_u8(out, ALIGN_4 | MEMARG_HAS_MEMORY);
  wi_buffer_u32(out, hooks->functions->memory);
  wi_buffer_u32(out, hooks->functions->description + (uint32_t)offset);
}

static void put_root(const wi_data_address *root, wi_buffer *out) {
  wi_buffer_u8(out, I32_CONST);
  wi_buffer_s32(out, (int32_t)root->offset);
  if (!root->is_relative)
    return;
  wi_put_index(out, GLOBAL_GET, root->global);
  wi_buffer_u8(out, I32_ADD);
}

void wi_guest_put_entry(const wi_guest_hooks *hooks, wi_buffer *out) {
  if (!hooks->is_interpreter)
    return;
  put_word(hooks, offsetof(embed_guest, thread), out);
  wi_buffer_u8(out, I32_EQZ);
  put_if(out);
  put_root(&hooks->guest->root, out);
  wi_put_index(out, CALL, hooks->functions->begin);
  wi_buffer_u8(out, END);
}

void wi_guest_put_running_node(const wi_guest_hooks *hooks, uint32_t slot_global, wi_buffer *out) {
  wi_put_index(out, GLOBAL_GET, slot_global);
  wi_buffer_u8(out, I32_LOAD);
  wi_buffer_u8(out, ALIGN_4 | MEMARG_HAS_MEMORY);
  wi_buffer_u32(out, hooks->functions->memory);
  wi_buffer_u32(out, 0);
  wi_buffer_u8(out, I32_CONST);
  wi_buffer_s32(out, -(int32_t)EMBED_EMPTY);
  wi_buffer_u8(out, I32_ADD);
  wi_put_index(out, LOCAL_SET, hooks->node_local);
}

/* The store adds to the address the offset of the current frame, or nothing: see scan.h. */
void wi_guest_begin_switch(const wi_guest_hooks *hooks, const wi_site *site, wi_buffer *out) {
  size_t base = site->value != 0 ? offsetof(embed_guest, thread) : offsetof(embed_guest, cell);
  uint32_t address = hooks->i32_locals + LOCAL_ADDRESS, frame = hooks->i32_locals + LOCAL_FRAME;
  wi_put_index(out, LOCAL_SET, frame);
  wi_put_index(out, LOCAL_TEE, address);
  wi_put_index(out, LOCAL_GET, frame);
  wi_put_index(out, LOCAL_GET, address);
  put_word(hooks, base, out);
  wi_buffer_u8(out, I32_EQ);
  put_if(out);
}

void wi_guest_end_switch(const wi_guest_hooks *hooks, wi_buffer *out) {
  wi_put_index(out, LOCAL_GET, hooks->i32_locals + LOCAL_FRAME);
  wi_put_index(out, LOCAL_GET, hooks->node_local);
  wi_put_index(out, CALL, hooks->functions->change);
  wi_put_index(out, LOCAL_SET, hooks->node_local);
  wi_buffer_u8(out, END);
}
