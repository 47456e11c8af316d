#include "hooks/follow/guest_hooks.h"

#include <stddef.h>

#include "rewrite/opcodes.h"

#define ALIGN_4 2 /* as a power of two */

/* Operands of a store; what was the current frame, and whether it is another one since. */
enum { LOCAL_ADDRESS, LOCAL_FRAME, LOCAL_BEFORE, LOCAL_IS_CHANGED, I32_COUNT };

bool wi_guest_keep(const wi_guest *guest, wi_image *image) {
  if (!guest->is_known)
    return true;
  wi_image_keep(image, "guest_begin");
  wi_image_keep(image, "guest_switch");
  return wi_image_link_parts(image, "python");
}

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
  wi_buffer_s32(out, -(int32_t)(EMBED_TAG_MASK + 1));
  wi_buffer_u8(out, I32_AND);
  wi_put_index(out, LOCAL_SET, hooks->node_local);
}

static void put_local(const wi_guest_hooks *hooks, uint8_t opcode, uint32_t local, wi_buffer *out) {
  wi_put_index(out, opcode, hooks->i32_locals + local);
}

static void put_switch(const wi_guest_hooks *hooks, wi_buffer *out) {
  put_local(hooks, LOCAL_GET, LOCAL_IS_CHANGED, out);
  put_if(out);
  put_local(hooks, LOCAL_GET, LOCAL_BEFORE, out);
  wi_put_index(out, LOCAL_GET, hooks->node_local);
  wi_put_index(out, CALL, hooks->functions->change);
  wi_put_index(out, LOCAL_SET, hooks->node_local);
}

/* The store adds to the address the offset of the current frame, or nothing: see scan.h. */
static void put_before_store(const wi_guest_hooks *hooks, const wi_site *site, wi_buffer *out) {
  size_t base = site->value != 0 ? offsetof(embed_guest, thread) : offsetof(embed_guest, cell);
  put_local(hooks, LOCAL_SET, LOCAL_FRAME, out);
  put_local(hooks, LOCAL_TEE, LOCAL_ADDRESS, out);
  put_local(hooks, LOCAL_GET, LOCAL_FRAME, out);
  put_local(hooks, LOCAL_GET, LOCAL_ADDRESS, out);
  put_word(hooks, base, out);
  wi_buffer_u8(out, I32_EQ);
  put_if(out);
  put_switch(hooks, out);
  wi_buffer_u8(out, END);
  put_local(hooks, LOCAL_GET, LOCAL_ADDRESS, out);
  wi_buffer_u8(out, I32_LOAD);
  wi_buffer_u8(out, ALIGN_4);
  wi_buffer_u32(out, site->value);
  put_local(hooks, LOCAL_SET, LOCAL_BEFORE, out);
  wi_buffer_u8(out, I32_CONST);
  wi_buffer_s32(out, 1);
  put_local(hooks, LOCAL_SET, LOCAL_IS_CHANGED, out);
  wi_buffer_u8(out, END);
}

static void put_after_stores(const wi_guest_hooks *hooks, wi_buffer *out) {
  put_switch(hooks, out);
  wi_buffer_u8(out, I32_CONST);
  wi_buffer_s32(out, 0);
  put_local(hooks, LOCAL_SET, LOCAL_IS_CHANGED, out);
  wi_buffer_u8(out, END);
}

void wi_guest_put_at_store(const wi_guest_hooks *hooks, const wi_site *site, wi_buffer *out) {
  if (site->kind == WI_SITE_STORE)
    put_before_store(hooks, site, out);
  else
    put_after_stores(hooks, out);
}
