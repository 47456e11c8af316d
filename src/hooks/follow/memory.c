#include "hooks/follow/memory.h"

#include <stdlib.h>

#include "rewrite/opcodes.h"

#define ALIGN_4 2 /* as a power of two */
#define ALIGN_8 3

/* ---- The module ------------------------------------------------------------ */

bool wi_memory_init(wi_memory *memory, const wi_module *module, const wi_options *options,
                    wi_error *error) {
  if (!options->memory)
    return true;
  memory->kinds = wi_find_allocators(module, options, &memory->allocator_count, error);
  return memory->kinds && (wi_gc_types_init(&memory->gc, module) || wi_error_memory(error));
}

void wi_memory_clear(wi_memory *memory) {
  free(memory->kinds);
  wi_gc_types_clear(&memory->gc);
  *memory = (wi_memory){0};
}

bool wi_memory_keep(const wi_memory *memory, wi_image *image) {
  static const char *const names[] = {"memory_enter",   "memory_release",   "memory_put_back",
                                      "memory_leave",   "memory_allocated", "memory_collected",
                                      "memory_resized", "memory_grown"};
  if (!memory->kinds)
    return true;
  for (size_t i = 0; i < sizeof names / sizeof *names; ++i)
    wi_image_keep(image, names[i]);
  if (memory->gc.types_count > 0)
    wi_image_keep(image, "memory_made");
  return wi_image_link_parts(image, "memory");
}

void wi_memory_place(wi_memory *memory, const wi_merge *runtime) {
  memory->enter = wi_merge_function(runtime, "memory_enter");
  memory->release = wi_merge_function(runtime, "memory_release");
  memory->put_back = wi_merge_function(runtime, "memory_put_back");
  memory->leave = wi_merge_function(runtime, "memory_leave");
  memory->allocated = wi_merge_function(runtime, "memory_allocated");
  memory->collected = wi_merge_function(runtime, "memory_collected");
  memory->resized = wi_merge_function(runtime, "memory_resized");
  memory->grown = wi_merge_function(runtime, "memory_grown");
  memory->gc.made = wi_merge_function(runtime, "memory_made");
}

void wi_memory_want(wi_scan_wants *wants) {
  wi_scan_want_opcode(wants, MEMORY_GROW);
  wi_gc_types_want(wants);
}

bool wi_memory_follows(const wi_memory *memory, const wi_scan *scan, uint32_t index) {
  return memory->kinds &&
         (memory->kinds[index] != WI_ALLOCATOR_KIND_NONE || scan->opcode_count > 0);
}

/* ---- Locals ---------------------------------------------------------------- */

/* Of i32: whether it is the outermost layer, the result, pages and result of memory.grow, items of
 * an array. */
enum { LOCAL_OUTERMOST, LOCAL_RESULT, LOCAL_PAGES, LOCAL_GROW_RESULT, LOCAL_ITEMS, I32_COUNT };
/* Of i64: size, the block given, then as above. */
enum { LOCAL_SIZE, LOCAL_BLOCK, LOCAL_RESULT_64, LOCAL_PAGES_64, LOCAL_GROW_RESULT_64, I64_COUNT };

bool wi_memory_has_hooks(const wi_memory_hooks *hooks) {
  return hooks->allocator || hooks->has_sites;
}

/*
 * The locals that any of the hooks needs: few functions have hooks, and engines drop unused locals.
 */
uint32_t wi_memory_i32_count(const wi_memory_hooks *hooks) {
  return wi_memory_has_hooks(hooks) ? I32_COUNT : 0;
}

uint32_t wi_memory_i64_count(const wi_memory_hooks *hooks) {
  return wi_memory_has_hooks(hooks) ? I64_COUNT : 0;
}

/* ---- Instructions ----------------------------------------------------------- */

static void put_get_i64(const wi_memory_hooks *hooks, uint32_t local, wi_buffer *out) {
  wi_put_index(out, LOCAL_GET, hooks->i64_locals + local);
}

/* A parameter, as an i64 without a sign. */
static void put_parameter(const wi_memory_hooks *hooks, uint32_t parameter, wi_buffer *out) {
  wi_put_index(out, LOCAL_GET, parameter);
  if (wi_parameter_type(hooks->module, hooks->type, parameter) == TYPE_I32)
    wi_buffer_u8(out, I64_EXTEND_I32_U);
}

static void put_outermost(const wi_memory_hooks *hooks, wi_buffer *out) {
  wi_put_index(out, LOCAL_GET, hooks->i32_locals + LOCAL_OUTERMOST);
}

static void put_constant(uint32_t value, wi_buffer *out) {
  wi_buffer_u8(out, I32_CONST);
  wi_buffer_s32(out, (int32_t)value);
}

/* The address of what is there in the node. */
static void put_node_address(const wi_memory_hooks *hooks, uint32_t offset, wi_buffer *out) {
  wi_put_index(out, LOCAL_GET, hooks->node_local);
  put_constant(offset, out);
  wi_buffer_u8(out, I32_ADD);
}

static void put_account_slot(const wi_memory_hooks *hooks, wi_buffer *out) {
  put_node_address(hooks, hooks->account_offset, out);
}

/* ---- Entry ------------------------------------------------------------------ */

static void put_keep_size(const wi_memory_hooks *hooks, wi_buffer *out) {
  const wi_allocator *allocator = hooks->allocator;
  if (allocator->size == WI_NO_PARAMETER)
    return;
  put_parameter(hooks, allocator->size, out);
  if (allocator->count != WI_NO_PARAMETER) {
    put_parameter(hooks, allocator->count, out);
    wi_buffer_u8(out, I64_MUL);
  }
  wi_put_index(out, LOCAL_SET, hooks->i64_locals + LOCAL_SIZE);
}

static void put_offset(const wi_memory_hooks *hooks, wi_buffer *out) {
  if (hooks->allocator->offset == 0)
    return;
  wi_buffer_u8(out, I64_CONST);
  wi_buffer_s64(out, hooks->allocator->offset);
  wi_buffer_u8(out, I64_ADD);
}

static void put_keep_block(const wi_memory_hooks *hooks, wi_buffer *out) {
  if (hooks->allocator->pointer == WI_NO_PARAMETER)
    return;
  put_parameter(hooks, hooks->allocator->pointer, out);
  put_offset(hooks, out);
  wi_put_index(out, LOCAL_SET, hooks->i64_locals + LOCAL_BLOCK);
}

/* The block passed in; none for functions that store one, whose parameter only says where. */
static void put_own_block(const wi_memory_hooks *hooks, wi_buffer *out) {
  if (hooks->allocator->action != WI_ALLOCATOR_STORE) {
    put_get_i64(hooks, LOCAL_BLOCK, out);
    return;
  }
  wi_buffer_u8(out, I64_CONST);
  wi_buffer_s64(out, 0);
}

/*
 * The size is the first argument, above the return address. A function that goes on after its
 * goroutine was switched is entered again, with another place than the first.
 */
static void put_go_entry(const wi_memory_hooks *hooks, wi_buffer *out) {
  enum { STACK_POINTER = 0, SIZE_OFFSET = 8, NO_BLOCK = -1 };
  wi_put_index(out, LOCAL_GET, 0);
  wi_buffer_u8(out, I32_EQZ);
  wi_buffer_u8(out, IF);
  wi_buffer_u8(out, BLOCK_VOID);
  put_account_slot(hooks, out);
  wi_buffer_u8(out, I64_CONST);
  wi_buffer_s64(out, NO_BLOCK);
  wi_put_index(out, GLOBAL_GET, STACK_POINTER);
  wi_buffer_u8(out, I64_LOAD);
  wi_buffer_u32(out, ALIGN_8);
  wi_buffer_u32(out, SIZE_OFFSET);
  put_constant(true, out); /* nothing else allocates in it */
  wi_put_index(out, CALL, hooks->memory->collected);
  wi_buffer_u8(out, END);
}

static uint32_t entry_function(const wi_memory_hooks *hooks) {
  switch (hooks->allocator->action) {
  case WI_ALLOCATOR_RELEASE: return hooks->memory->release;
  case WI_ALLOCATOR_PUT_BACK: return hooks->memory->put_back;
  default: return hooks->memory->enter;
  }
}

void wi_memory_put_entry(const wi_memory_hooks *hooks, wi_buffer *out) {
  if (!hooks->allocator)
    return;
  if (hooks->allocator->action == WI_ALLOCATOR_GO) {
    put_go_entry(hooks, out);
    return;
  }
  put_keep_size(hooks, out);
  put_keep_block(hooks, out);
  wi_put_index(out, LOCAL_GET, hooks->node_local);
  put_own_block(hooks, out);
  wi_put_index(out, CALL, entry_function(hooks));
  wi_put_index(out, LOCAL_SET, hooks->i32_locals + LOCAL_OUTERMOST);
}

/* ---- Exits ------------------------------------------------------------------ */

static uint32_t result_local(const wi_memory_hooks *hooks) {
  return wi_result_type(hooks->module, hooks->type) == TYPE_I32
             ? hooks->i32_locals + LOCAL_RESULT
             : hooks->i64_locals + LOCAL_RESULT_64;
}

static void put_result(const wi_memory_hooks *hooks, wi_buffer *out) {
  wi_put_index(out, LOCAL_GET, result_local(hooks));
  if (wi_result_type(hooks->module, hooks->type) == TYPE_I32)
    wi_buffer_u8(out, I64_EXTEND_I32_U);
}

static void put_load_stored(const wi_memory_hooks *hooks, wi_buffer *out) {
  bool is_64 = wi_parameter_type(hooks->module, hooks->type, hooks->allocator->pointer) == TYPE_I64;
  put_get_i64(hooks, LOCAL_BLOCK, out);
  if (!is_64)
    wi_buffer_u8(out, I32_WRAP_I64);
  wi_buffer_u8(out, is_64 ? I64_LOAD : I32_LOAD);
  wi_buffer_u32(out, is_64 ? ALIGN_8 : ALIGN_4);
  wi_buffer_u32(out, 0);
  if (!is_64)
    wi_buffer_u8(out, I64_EXTEND_I32_U);
}

/* What the function has stored if it returned 0; else 0, as it may have stored nothing. */
static void put_stored_block(const wi_memory_hooks *hooks, wi_buffer *out) {
  put_result(hooks, out);
  wi_buffer_u8(out, I64_EQZ);
  wi_buffer_u8(out, IF);
  wi_buffer_u8(out, TYPE_I64);
  put_load_stored(hooks, out);
  wi_buffer_u8(out, ELSE);
  wi_buffer_u8(out, I64_CONST);
  wi_buffer_s64(out, 0);
  wi_buffer_u8(out, END);
}

static uint32_t exit_function(const wi_memory_hooks *hooks) {
  switch (hooks->allocator->action) {
  case WI_ALLOCATOR_RESIZE: return hooks->memory->resized;
  case WI_ALLOCATOR_COLLECT: return hooks->memory->collected;
  default: return hooks->memory->allocated;
  }
}

void wi_memory_put_tail_call(const wi_memory_hooks *hooks, wi_buffer *out) {
  if (!hooks->allocator || hooks->allocator->action == WI_ALLOCATOR_GO)
    return;
  put_outermost(hooks, out);
  wi_put_index(out, CALL, hooks->memory->leave);
}

void wi_memory_put_exit(const wi_memory_hooks *hooks, wi_buffer *out) {
  if (!hooks->allocator || hooks->allocator->action == WI_ALLOCATOR_GO)
    return;
  wi_allocator_action action = hooks->allocator->action;
  if (wi_allocator_releases(hooks->allocator)) {
    wi_memory_put_tail_call(hooks, out);
    return;
  }
  wi_put_index(out, LOCAL_TEE, result_local(hooks));
  put_account_slot(hooks, out);
  if (action == WI_ALLOCATOR_RESIZE)
    put_get_i64(hooks, LOCAL_BLOCK, out);
  if (action == WI_ALLOCATOR_STORE)
    put_stored_block(hooks, out);
  else
    put_result(hooks, out);
  put_offset(hooks, out);
  put_get_i64(hooks, LOCAL_SIZE, out);
  put_outermost(hooks, out);
  wi_put_index(out, CALL, exit_function(hooks));
}

/* ---- memory.grow -------------------------------------------------------------- */

/* Whether the memory that grows has addresses of 64 bits. */
static bool grows_64(const wi_memory_hooks *hooks, const wi_site *site) {
  wi_error ignored;
  wi_cursor cursor = wi_site_operands(hooks->module, site, &ignored);
  return wi_module_memory_is_64(hooks->module, wi_cursor_u32(&cursor));
}

static void put_grow_operand(const wi_memory_hooks *hooks, bool is_64, uint32_t local,
                             uint32_t local_64, wi_buffer *out) {
  wi_put_index(out, LOCAL_GET, is_64 ? hooks->i64_locals + local_64 : hooks->i32_locals + local);
  if (!is_64)
    wi_buffer_u8(out, I64_EXTEND_I32_S); /* -1 stays that */
}

void wi_memory_put_before_grow(const wi_memory_hooks *hooks, const wi_site *site, wi_buffer *out) {
  wi_put_index(out, LOCAL_TEE,
               grows_64(hooks, site) ? hooks->i64_locals + LOCAL_PAGES_64
                                     : hooks->i32_locals + LOCAL_PAGES);
}

void wi_memory_put_after_grow(const wi_memory_hooks *hooks, const wi_site *site, wi_buffer *out) {
  bool is_64 = grows_64(hooks, site);
  wi_put_index(out, LOCAL_TEE,
               is_64 ? hooks->i64_locals + LOCAL_GROW_RESULT_64
                     : hooks->i32_locals + LOCAL_GROW_RESULT);
  put_account_slot(hooks, out);
  put_grow_operand(hooks, is_64, LOCAL_PAGES, LOCAL_PAGES_64, out);
  put_grow_operand(hooks, is_64, LOCAL_GROW_RESULT, LOCAL_GROW_RESULT_64, out);
  wi_put_index(out, CALL, hooks->memory->grown);
}

/* ---- Objects -------------------------------------------------------------------- */

void wi_memory_put_before_new(const wi_memory_hooks *hooks, const wi_site *site, wi_buffer *out) {
  if (wi_gc_types_takes_count(site))
    wi_put_index(out, LOCAL_TEE, hooks->i32_locals + LOCAL_ITEMS);
}

void wi_memory_put_after_new(const wi_memory_hooks *hooks, const wi_site *site,
                             uint32_t slot_offset, wi_buffer *out) {
  put_node_address(hooks, slot_offset, out);
  if (wi_gc_types_takes_count(site))
    wi_put_index(out, LOCAL_GET, hooks->i32_locals + LOCAL_ITEMS);
  else
    put_constant(wi_gc_types_fixed_count(hooks->module, site), out);
  wi_put_index(out, CALL, wi_gc_types_function(&hooks->memory->gc, hooks->module, site));
}
