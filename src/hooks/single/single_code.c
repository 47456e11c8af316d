/* Addresses, and the functions that keep the borders of the parts. */
#include "hooks/single/single_code.h"

#include "rewrite/body_parts.h"
#include "rewrite/opcodes.h"

#define FAILED UINT64_MAX /* result of memory.grow */

uint8_t wi_single_address_type(const wi_single *single) {
  return single->is_64 ? TYPE_I64 : TYPE_I32;
}

void wi_single_put(const wi_single *single, uint8_t opcode_32, uint8_t opcode_64, wi_buffer *out) {
  wi_buffer_u8(out, single->is_64 ? opcode_64 : opcode_32);
}

void wi_single_put_constant(const wi_single *single, uint64_t value, wi_buffer *out) {
  if (single->is_64)
    wi_put_i64(out, (int64_t)value);
  else
    wi_put_i32(out, (uint32_t)value);
}

void wi_single_put_own_address(const wi_single *single, wi_buffer *out) {
  if (single->is_64)
    wi_buffer_u8(out, I64_EXTEND_I32_U);
  wi_put_index(out, GLOBAL_GET, single->base);
  wi_single_put(single, I32_ADD, I64_ADD, out);
}

static void put_if(wi_buffer *out) {
  wi_buffer_u8(out, IF);
  wi_buffer_u8(out, BLOCK_VOID);
}

static void put_add(const wi_single *single, wi_buffer *out) {
  wi_single_put(single, I32_ADD, I64_ADD, out);
}

static void put_sub(const wi_single *single, wi_buffer *out) {
  wi_single_put(single, I32_SUB, I64_SUB, out);
}

/* Whether no memory is so large: the engine's own check finds it. */
static bool is_always_outside(const wi_single *single, uint64_t offset, uint32_t size) {
  return single->is_64 ? offset > UINT64_MAX - size : offset + size > UINT32_MAX;
}

/* Pushes an address that no memory has, aligned as the one in the local. */
static void put_outside(const wi_single *single, uint32_t size, uint32_t local, wi_buffer *out) {
  wi_single_put_constant(single, 0 - (uint64_t)size, out);
  wi_put_index(out, LOCAL_GET, local);
  wi_single_put(single, I32_OR, I64_OR, out);
}

/*
 * Traps as the access would, by a load that no memory allows. Without the unreachable, the code after
 * each check would have two ways in, which costs engines more than the check.
 */
static void put_trap(const wi_single *single, wi_buffer *out) {
  wi_single_put_constant(single, UINT64_MAX, out);
  wi_put_load(out, I32_LOAD, WI_FIRST_MEMORY, 0);
  wi_buffer_u8(out, DROP);
  wi_buffer_u8(out, UNREACHABLE);
}

/*
 * Compares the address on the stack with the end less `behind` bytes. If that may be negative, a
 * second comparison is combined with it.
 */
static void put_comparison(const wi_single *single, uint64_t behind, uint8_t opcode_32,
                           uint8_t opcode_64, uint8_t combine, wi_buffer *out) {
  wi_put_index(out, GLOBAL_GET, single->end);
  wi_single_put_constant(single, behind, out);
  put_sub(single, out);
  wi_single_put(single, opcode_32, opcode_64, out);
  if (behind > single->minimum << WI_SINGLE_PAGE_BITS) {
    wi_single_put_constant(single, behind, out);
    wi_put_index(out, GLOBAL_GET, single->end);
    wi_single_put(single, opcode_32, opcode_64, out);
    wi_buffer_u8(out, combine);
  }
}

static void put_branching_check(const wi_single *single, uint64_t behind, uint32_t local,
                                wi_buffer *out) {
  wi_put_index(out, LOCAL_TEE, local);
  put_comparison(single, behind, I32_GT_U, I64_GT_U, I32_OR, out);
  wi_buffer_u8(out, IF);
  wi_buffer_u8(out, BLOCK_VOID);
  put_trap(single, out);
  wi_buffer_u8(out, END);
  wi_put_index(out, LOCAL_GET, local);
}

bool wi_single_branches(const wi_single *single, uint64_t offset, uint32_t size, bool is_atomic) {
  return !is_atomic && !is_always_outside(single, offset, size);
}

void wi_single_put_checked_address(const wi_single *single, uint64_t offset, uint32_t size,
                                   bool is_atomic, uint32_t local, wi_buffer *out) {
  if (is_always_outside(single, offset, size))
    return;
  uint64_t behind = offset + size;
  if (!is_atomic) {
    put_branching_check(single, behind, local, out);
    return;
  }
  wi_put_index(out, LOCAL_TEE, local);
  put_outside(single, size, local, out);
  wi_put_index(out, LOCAL_GET, local);
  put_comparison(single, behind, I32_LE_U, I64_LE_U, I32_AND, out);
  wi_buffer_u8(out, SELECT);
}

static void put_shift(const wi_single *single, uint8_t opcode_32, uint8_t opcode_64,
                      wi_buffer *out) {
  wi_single_put_constant(single, WI_SINGLE_PAGE_BITS, out);
  wi_single_put(single, opcode_32, opcode_64, out);
}

static void put_pages_of(const wi_single *single, uint32_t global, wi_buffer *out) {
  wi_put_index(out, GLOBAL_GET, global);
  put_shift(single, I32_SHR_U, I64_SHR_U, out);
}

void wi_single_put_size(const wi_single *single, wi_buffer *out) {
  put_pages_of(single, single->end, out);
}

/* ---- Added functions ------------------------------------------------------------------ */

/* Pushes an i32 as a number of pages of the memory. */
static void put_pages(const wi_single *single, uint8_t opcode, uint32_t index, wi_buffer *out) {
  wi_put_index(out, opcode, index);
  if (single->is_64)
    wi_buffer_u8(out, I64_EXTEND_I32_U);
}

static void put_own_pages(const wi_single *single, wi_buffer *out) {
  put_pages(single, GLOBAL_GET, single->own_pages, out);
}

static void put_memory_grow(wi_buffer *out) {
  wi_put_index(out, MEMORY_GROW, 0);
}

/* Fails if the condition on the stack holds. */
static void put_fail_if(const wi_single *single, wi_buffer *out) {
  put_if(out);
  wi_single_put_constant(single, FAILED, out);
  wi_buffer_u8(out, RETURN);
  wi_buffer_u8(out, END);
}

/* Pushes whether the number of pages on the stack is memory.grow's failure. */
static void put_has_failed(const wi_single *single, wi_buffer *out) {
  wi_single_put_constant(single, FAILED, out);
  wi_single_put(single, I32_EQ, I64_EQ, out);
}

/* Pushes whether the host has added pages. */
static void put_is_grown(const wi_single *single, wi_buffer *out) {
  wi_put_index(out, MEMORY_SIZE, 0);
  put_pages_of(single, single->base, out);
  put_pages(single, GLOBAL_GET, single->own_room, out);
  put_add(single, out);
  wi_single_put(single, I32_NE, I64_NE, out);
}

/* Locals of the functions that grow a part; the first is their parameter. */
enum { PAGES, OLD, NEW, BY, OWN_NEW = OLD };

/* Grows the memory by `BY` pages, and as many free ones as the runtime has; or without these. */
static void put_make_room(const wi_single *single, wi_buffer *out) {
  wi_put_index(out, LOCAL_GET, BY);
  put_own_pages(single, out);
  put_add(single, out);
  put_memory_grow(out);
  put_has_failed(single, out);
  put_if(out);
  wi_put_index(out, LOCAL_GET, BY);
  put_memory_grow(out);
  put_has_failed(single, out);
  put_fail_if(single, out);
  wi_buffer_u8(out, ELSE);
  wi_put_index(out, LOCAL_GET, BY);
  put_own_pages(single, out);
  put_add(single, out);
  wi_put_index(out, LOCAL_SET, BY);
  wi_buffer_u8(out, END);
}

static void put_bulk(uint8_t code, uint8_t memory_count, wi_buffer *out) {
  wi_buffer_u8(out, PREFIX_FC);
  wi_buffer_u32(out, code);
  for (; memory_count > 0; memory_count--)
    wi_buffer_u32(out, 0);
}

static void put_own_size(const wi_single *single, wi_buffer *out) {
  put_own_pages(single, out);
  put_shift(single, I32_SHL, I64_SHL, out);
}

/* Moves the runtime's part by `BY` pages, which become bytes, and clears its old place. */
static void put_move(const wi_single *single, wi_buffer *out) {
  wi_put_index(out, GLOBAL_GET, single->base);
  wi_put_index(out, LOCAL_GET, BY);
  put_shift(single, I32_SHL, I64_SHL, out);
  wi_put_index(out, LOCAL_TEE, BY);
  put_add(single, out);
  wi_put_index(out, GLOBAL_GET, single->base);
  put_own_size(single, out);
  put_bulk(MEMORY_COPY, 2, out);
  wi_put_index(out, GLOBAL_GET, single->base);
  wi_put_i32(out, 0);
  wi_put_index(out, LOCAL_GET, BY);
  put_own_size(single, out);
  wi_put_index(out, LOCAL_GET, BY);
  put_own_size(single, out);
  wi_single_put(single, I32_LE_U, I64_LE_U, out);
  wi_buffer_u8(out, SELECT);
  put_bulk(MEMORY_FILL, 1, out);
  wi_put_index(out, GLOBAL_GET, single->base);
  wi_put_index(out, LOCAL_GET, BY);
  put_add(single, out);
  wi_put_index(out, GLOBAL_SET, single->base);
}

static void put_new_end(const wi_single *single, wi_buffer *out) {
  wi_put_index(out, LOCAL_GET, NEW);
  put_shift(single, I32_SHL, I64_SHL, out);
  wi_put_index(out, GLOBAL_SET, single->end);
}

static void put_grow(const wi_single *single, wi_buffer *out) {
  wi_put_index(out, LOCAL_GET, PAGES);
  wi_single_put_constant(single, single->maximum, out);
  wi_single_put_size(single, out);
  wi_put_index(out, LOCAL_TEE, OLD);
  put_sub(single, out);
  wi_single_put(single, I32_GT_U, I64_GT_U, out);
  put_fail_if(single, out);
  wi_put_index(out, LOCAL_GET, OLD);
  wi_put_index(out, LOCAL_GET, PAGES);
  put_add(single, out);
  wi_put_index(out, LOCAL_TEE, NEW);
  put_pages_of(single, single->base, out);
  wi_single_put(single, I32_GT_U, I64_GT_U, out);
  put_if(out);
  put_is_grown(single, out);
  put_fail_if(single, out);
  wi_put_index(out, LOCAL_GET, NEW);
  put_pages_of(single, single->base, out);
  put_sub(single, out);
  wi_put_index(out, LOCAL_SET, BY);
  put_make_room(single, out);
  put_move(single, out);
  wi_buffer_u8(out, END);
  put_new_end(single, out);
  wi_put_index(out, LOCAL_GET, OLD);
}

/* Fails unless there is, or can be made, room for NEW pages. */
static void put_make_own_room(const wi_single *single, const wi_single *narrow, wi_buffer *out) {
  if (!single->may_add) {
    wi_put_i32(out, 1);
    put_fail_if(narrow, out);
    return;
  }
  put_is_grown(single, out);
  put_fail_if(narrow, out);
  wi_put_index(out, LOCAL_GET, OWN_NEW);
  wi_put_index(out, GLOBAL_GET, single->own_room);
  wi_buffer_u8(out, I32_SUB);
  if (single->is_64)
    wi_buffer_u8(out, I64_EXTEND_I32_U);
  put_memory_grow(out);
  put_has_failed(single, out);
  put_fail_if(narrow, out);
  wi_put_index(out, LOCAL_GET, OWN_NEW);
  wi_put_index(out, GLOBAL_SET, single->own_room);
}

/* The runtime asks for no more pages than 32 bits hold. */
static void put_grow_own(const wi_single *single, wi_buffer *out) {
  const wi_single narrow = {.is_64 = false}; /* its parameter and result are i32 */
  wi_put_index(out, GLOBAL_GET, single->own_pages);
  wi_put_index(out, LOCAL_GET, PAGES);
  wi_buffer_u8(out, I32_ADD);
  wi_put_index(out, LOCAL_TEE, OWN_NEW);
  wi_put_index(out, GLOBAL_GET, single->own_room);
  wi_buffer_u8(out, I32_GT_U);
  put_if(out);
  put_make_own_room(single, &narrow, out);
  wi_buffer_u8(out, END);
  wi_put_index(out, GLOBAL_GET, single->own_pages);
  wi_put_index(out, LOCAL_GET, OWN_NEW);
  wi_put_index(out, GLOBAL_SET, single->own_pages);
}

/* The last address is never part of the memory: a load of it traps as the checked access would. */
static void put_check(const wi_single *single, wi_buffer *out) {
  enum { ADDRESS, SIZE };
  wi_put_index(out, LOCAL_GET, SIZE);
  wi_put_index(out, GLOBAL_GET, single->end);
  wi_single_put(single, I32_GT_U, I64_GT_U, out);
  wi_put_index(out, LOCAL_GET, ADDRESS);
  wi_put_index(out, GLOBAL_GET, single->end);
  wi_put_index(out, LOCAL_GET, SIZE);
  put_sub(single, out);
  wi_single_put(single, I32_GT_U, I64_GT_U, out);
  wi_buffer_u8(out, I32_OR);
  put_if(out);
  wi_single_put_constant(single, UINT64_MAX, out);
  wi_put_load(out, I32_LOAD, WI_FIRST_MEMORY, 0);
  wi_buffer_u8(out, DROP);
  wi_buffer_u8(out, END);
}

void wi_single_put_function(const wi_single *single, wi_single_function function, wi_buffer *out) {
  enum { GROW_LOCALS = BY - PAGES, OWN_LOCALS = OWN_NEW - PAGES };
  size_t start = wi_buffer_sized_begin(out, 0);
  wi_buffer_u32(out, function != WI_SINGLE_CHECK); /* groups of locals */
  switch (function) {
  case WI_SINGLE_GROW:
    wi_body_put_local_group(out, GROW_LOCALS, wi_single_address_type(single));
    put_grow(single, out);
    break;
  case WI_SINGLE_GROW_OWN:
    wi_body_put_local_group(out, OWN_LOCALS, TYPE_I32);
    put_grow_own(single, out);
    break;
  default: put_check(single, out);
  }
  wi_buffer_u8(out, END);
  wi_buffer_sized_end(out, start, 0);
}
