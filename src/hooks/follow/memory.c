/*
 * Memory profiles, in the module: finds allocators. Inserts calls of runtime/embedded/memory.c into
 * them, around each memory.grow and bulk instruction, and after each instruction that makes an object.
 */
#include <stdlib.h>
#include <string.h>

#include "hooks/follow/allocators.h"
#include "hooks/follow/bulk.h"
#include "hooks/follow/follower.h"
#include "hooks/follow/gc_types.h"
#include "hooks/follow/inner_allocators.h"
#include "hooks/follow/value_record.h"
#include "rewrite/opcodes.h"
#include "wasm_perf/format.h"

/* What is followed: allocators, and the types of garbage-collected objects. */
typedef struct allocations {
  uint8_t *kinds; /* wi_allocator_kind per function with a body; owned */
  uint32_t allocator_count;
  wi_gc_types gc;
} allocations;

enum { ENTER, RELEASE, PUT_BACK, LEAVE, ALLOCATED, COLLECTED, RESIZED, GROWN, MADE, COUNT };
static const char *const exports[] = {[ENTER] = "memory_enter",
                                      [RELEASE] = "memory_release",
                                      [PUT_BACK] = "memory_put_back",
                                      [LEAVE] = "memory_leave",
                                      [ALLOCATED] = "memory_allocated",
                                      [COLLECTED] = "memory_collected",
                                      [RESIZED] = "memory_resized",
                                      [GROWN] = "memory_grown",
                                      [MADE] = "memory_made",
                                      [COUNT] = "memory_count",
                                      NULL};

/* ---- The module ------------------------------------------------------------ */

static void clear(void *state) {
  allocations *all = state;
  free(all->kinds);
  wi_gc_types_clear(&all->gc);
  free(all);
}

static bool find(wi_following *following, const wi_plan *plan, const wi_options *options,
                 wi_scan *scan, wi_error *error) {
  if (!options->memory)
    return true;
  allocations *all = following->state = calloc(1, sizeof *all);
  if (!all)
    return wi_error_memory(error);
  following->is_active = true;
  all->kinds = wi_find_allocators(plan->module, options, &all->allocator_count, error);
  return all->kinds &&
         wi_add_nameless_allocators(all->kinds, &all->allocator_count, plan->module, scan, error) &&
         wi_drop_inner_allocators(all->kinds, plan->module, scan, error) &&
         (wi_gc_types_init(&all->gc, plan->module) || wi_error_memory(error));
}

static void want(const wi_following *following, const wi_module *module, wi_scan_wants *wants) {
  (void)following, (void)module;
  wi_scan_want_opcode(wants, MEMORY_GROW);
  wi_bulk_want(wants);
  wi_gc_types_want(wants);
}

/* Whether the body grows a memory, creates objects or has bulk instructions. */
static bool has_sites(const wi_scan *scan) {
  for (uint32_t i = 0; i < scan->sites_count && scan->opcode_count > 0; i++)
    if (scan->sites[i].kind == WI_SITE_OPCODE &&
        (scan->sites[i].value == MEMORY_GROW || wi_gc_types_is_new(&scan->sites[i]) ||
         wi_bulk_is(&scan->sites[i])))
      return true;
  return false;
}

static wi_allocator_kind kind_of(const wi_following *following, const wi_module *module,
                                 uint32_t function) {
  const allocations *all = following->state;
  return (wi_allocator_kind)all->kinds[function - module->imports_count];
}

static unsigned traits(const wi_following *following, const wi_module *module, const wi_scan *scan,
                       uint32_t function) {
  bool follows = kind_of(following, module, function) != WI_ALLOCATOR_KIND_NONE || has_sites(scan);
  return follows ? WI_FOLLOW_HOOKED | WI_FOLLOW_ACCOUNT : 0;
}

static bool note(wi_following *following, wi_plan *plan, uint32_t function, const wi_site *site,
                 wi_error *error) {
  allocations *all = following->state;
  bool is_hooked = plan->chosen[function - plan->module->imports_count];
  return !is_hooked || !wi_gc_types_is_new(site) ||
         wi_gc_types_note(&all->gc, plan, function, site, error);
}

/* One per type of which objects are created. */
static wi_stand_ins stand_ins(const wi_following *following) {
  const allocations *all = following->state;
  return (wi_stand_ins){.count = all->gc.types_count, .own = 1, .are_functions = true};
}

static wi_gc_functions functions_of(const wi_following *following) {
  return (wi_gc_functions){following->first_stand_in, following->functions[MADE]};
}

static void put_section(const wi_following *following, const wi_plan *plan, wi_section_id id,
                        wi_buffer *out) {
  const allocations *all = following->state;
  wi_gc_types_put(&all->gc, functions_of(following), plan, id, out);
}

static void put_names(const wi_following *following, const wi_module *module, wi_name_put *put,
                      wi_buffer *out) {
  const allocations *all = following->state;
  wi_gc_types_put_names(&all->gc, functions_of(following), module, put, out);
}

static void put_facts(const wi_following *following, const wi_plan *plan, const wi_fact_put *put,
                      wi_buffer *out) {
  (void)plan;
  const allocations *all = following->state;
  put->number(out, WASM_PERF_FACT_allocator_count, all->allocator_count);
}

/* What an instance begins with: the number of memories, and their size in bytes. */
static void put_memories(const wi_module *module, wi_buffer *out) {
  wi_limits limits;
  uint64_t count = 0, size = 0;
  for (; wi_module_own_memory(module, (uint32_t)count, &limits); count++)
    size += limits.minimum * limits.page_size;
  wi_buffer_word(out, (uint32_t)count);
  wi_buffer_word(out, (uint32_t)size);
  wi_buffer_word(out, (uint32_t)(size >> 32));
}

/* See memory_description in runtime/embedded/memory.c. */
static void describe(const wi_following *following, const wi_plan *plan, wi_buffer *out) {
  (void)following;
  wi_buffer names = {0};
#define QUANTITY(id, name, number, one) [number] = name,
  static const char *const units[] = {WASM_PERF_QUANTITIES(QUANTITY)};
#undef QUANTITY
  wi_buffer_word(&names, WASM_PERF_MEASURE_COUNT);
  wi_buffer_word(&names, 0);
#define PUT_MEASURE(id, name, unit, where, nature, what)                                           \
  wi_put_value(&names, name, units[WASM_PERF_QUANTITY_##unit]);
  WASM_PERF_MEASURES(PUT_MEASURE)
#undef PUT_MEASURE
  wi_buffer_word(out, (uint32_t)names.size);
  put_memories(plan->module, out);
  wi_buffer_append(out, names.data, names.size);
  out->failed |= names.failed;
  wi_buffer_clear(&names);
}

/* ---- Locals ---------------------------------------------------------------- */

/*
 * i32 locals: whether it is the outermost layer, the result, pages and result of memory.grow,
 * number of array items, length of a bulk instruction.
 */
enum {
  LOCAL_OUTERMOST,
  LOCAL_RESULT,
  LOCAL_PAGES,
  LOCAL_GROW_RESULT,
  LOCAL_ITEMS,
  LOCAL_LENGTH,
  I32_COUNT
};
/* i64 locals: size, the block passed in, then as above. */
enum {
  LOCAL_SIZE,
  LOCAL_BLOCK,
  LOCAL_RESULT_64,
  LOCAL_PAGES_64,
  LOCAL_GROW_RESULT_64,
  LOCAL_LENGTH_64,
  I64_COUNT
};

static const wi_allocator *allocator_of(const wi_follow_body *body) {
  return body->hooks;
}

static uint32_t function_of(const wi_follow_body *body, uint32_t index) {
  return body->following->functions[index];
}

/*
 * Few functions have these hooks, and engines drop unused locals, so all locals are always added.
 */
static bool begin(wi_follow_body *body) {
  if (!body->hooked || body->interprets ||
      traits(body->following, body->module, body->scan, body->function) == 0)
    return false;
  wi_allocator_kind kind = kind_of(body->following, body->module, body->function);
  body->hooks = kind ? &wi_allocators[kind] : NULL;
  body->i32_count = I32_COUNT;
  body->i64_count = I64_COUNT;
  body->acts_at_exit = body->hooks != NULL;
  body->needs_account = true;
  return true;
}

/* ---- Instructions ----------------------------------------------------------- */

static void put_get_i64(const wi_follow_body *body, uint32_t local, wi_buffer *out) {
  wi_put_index(out, LOCAL_GET, body->i64_locals + local);
}

/* Pushes a parameter as an unsigned i64. */
static void put_parameter(const wi_follow_body *body, uint32_t parameter, wi_buffer *out) {
  wi_put_index(out, LOCAL_GET, parameter);
  if (wi_parameter_type(body->module, body->type, parameter) == TYPE_I32)
    wi_buffer_u8(out, I64_EXTEND_I32_U);
}

static void put_outermost(const wi_follow_body *body, wi_buffer *out) {
  wi_put_index(out, LOCAL_GET, body->i32_locals + LOCAL_OUTERMOST);
}

/* Pushes the address at this offset in the node. */
static void put_node_address(const wi_follow_body *body, uint32_t offset, wi_buffer *out) {
  wi_put_index(out, LOCAL_GET, body->node_local);
  wi_put_i32(out, offset);
  wi_buffer_u8(out, I32_ADD);
}

static void put_account_slot(const wi_follow_body *body, wi_buffer *out) {
  put_node_address(body, body->account, out);
}

/* ---- Entry ------------------------------------------------------------------ */

static void put_keep_size(const wi_follow_body *body, wi_buffer *out) {
  const wi_allocator *allocator = allocator_of(body);
  if (allocator->size == WI_NO_PARAMETER)
    return;
  put_parameter(body, allocator->size, out);
  if (allocator->count != WI_NO_PARAMETER) {
    put_parameter(body, allocator->count, out);
    wi_buffer_u8(out, I64_MUL);
  }
  wi_put_index(out, LOCAL_SET, body->i64_locals + LOCAL_SIZE);
}

static void put_offset(const wi_follow_body *body, wi_buffer *out) {
  if (allocator_of(body)->offset == 0)
    return;
  wi_put_i64(out, allocator_of(body)->offset);
  wi_buffer_u8(out, I64_ADD);
}

static void put_keep_block(const wi_follow_body *body, wi_buffer *out) {
  if (allocator_of(body)->pointer == WI_NO_PARAMETER)
    return;
  put_parameter(body, allocator_of(body)->pointer, out);
  put_offset(body, out);
  wi_put_index(out, LOCAL_SET, body->i64_locals + LOCAL_BLOCK);
}

/* The block passed in; 0 for functions that store a block, whose parameter is where to store it. */
static void put_own_block(const wi_follow_body *body, wi_buffer *out) {
  if (allocator_of(body)->action != WI_ALLOCATOR_STORE) {
    put_get_i64(body, LOCAL_BLOCK, out);
    return;
  }
  wi_put_i64(out, 0);
}

/*
 * The size is the first argument, above the return address. After a goroutine switch the function
 * is entered again, at a block other than 0.
 */
static void put_go_entry(const wi_follow_body *body, wi_buffer *out) {
  enum { STACK_POINTER = 0, SIZE_OFFSET = 8, NO_BLOCK = -1 };
  wi_put_index(out, LOCAL_GET, 0);
  wi_buffer_u8(out, I32_EQZ);
  wi_buffer_u8(out, IF);
  wi_buffer_u8(out, BLOCK_VOID);
  put_account_slot(body, out);
  wi_put_i64(out, NO_BLOCK);
  wi_put_index(out, GLOBAL_GET, STACK_POINTER);
  wi_put_load(out, I64_LOAD, WI_FIRST_MEMORY, SIZE_OFFSET);
  wi_put_i32(out, true); /* nothing else allocates in it */
  wi_put_index(out, CALL, function_of(body, COLLECTED));
  wi_buffer_u8(out, END);
}

static uint32_t entry_function(const wi_follow_body *body) {
  switch (allocator_of(body)->action) {
  case WI_ALLOCATOR_RELEASE: return function_of(body, RELEASE);
  case WI_ALLOCATOR_PUT_BACK: return function_of(body, PUT_BACK);
  default: return function_of(body, ENTER);
  }
}

static uint32_t put_start(const wi_follow_body *body, wi_buffer *out) {
  if (!allocator_of(body))
    return 0;
  if (allocator_of(body)->action == WI_ALLOCATOR_GO) {
    put_go_entry(body, out);
    return 1;
  }
  put_keep_size(body, out);
  put_keep_block(body, out);
  wi_put_index(out, LOCAL_GET, body->node_local);
  put_own_block(body, out);
  wi_put_index(out, CALL, entry_function(body));
  wi_put_index(out, LOCAL_SET, body->i32_locals + LOCAL_OUTERMOST);
  return 0;
}

/* ---- Exits ------------------------------------------------------------------ */

static uint32_t result_local(const wi_follow_body *body) {
  return wi_result_type(body->module, body->type) == TYPE_I32 ? body->i32_locals + LOCAL_RESULT
                                                              : body->i64_locals + LOCAL_RESULT_64;
}

static void put_result(const wi_follow_body *body, wi_buffer *out) {
  wi_put_index(out, LOCAL_GET, result_local(body));
  if (wi_result_type(body->module, body->type) == TYPE_I32)
    wi_buffer_u8(out, I64_EXTEND_I32_U);
}

static void put_load_stored(const wi_follow_body *body, wi_buffer *out) {
  bool is_64 = wi_parameter_type(body->module, body->type, allocator_of(body)->pointer) == TYPE_I64;
  put_get_i64(body, LOCAL_BLOCK, out);
  if (!is_64)
    wi_buffer_u8(out, I32_WRAP_I64);
  wi_put_load(out, is_64 ? I64_LOAD : I32_LOAD, WI_FIRST_MEMORY, 0);
  if (!is_64)
    wi_buffer_u8(out, I64_EXTEND_I32_U);
}

/*
 * The block that the function stored if it returned 0; otherwise 0, since it may have stored
 * nothing.
 */
static void put_stored_block(const wi_follow_body *body, wi_buffer *out) {
  put_result(body, out);
  wi_buffer_u8(out, I64_EQZ);
  wi_buffer_u8(out, IF);
  wi_buffer_u8(out, TYPE_I64);
  put_load_stored(body, out);
  wi_buffer_u8(out, ELSE);
  wi_put_i64(out, 0);
  wi_buffer_u8(out, END);
}

static uint32_t exit_function(const wi_follow_body *body) {
  switch (allocator_of(body)->action) {
  case WI_ALLOCATOR_RESIZE: return function_of(body, RESIZED);
  case WI_ALLOCATOR_COLLECT: return function_of(body, COLLECTED);
  default: return function_of(body, ALLOCATED);
  }
}

static void put_exit(const wi_follow_body *body, bool is_tail_call, wi_buffer *out) {
  if (!allocator_of(body) || allocator_of(body)->action == WI_ALLOCATOR_GO)
    return;
  wi_allocator_action action = allocator_of(body)->action;
  if (is_tail_call || wi_allocator_releases(allocator_of(body))) {
    put_outermost(body, out);
    wi_put_index(out, CALL, function_of(body, LEAVE));
    return;
  }
  wi_put_index(out, LOCAL_TEE, result_local(body));
  put_account_slot(body, out);
  if (action == WI_ALLOCATOR_RESIZE)
    put_get_i64(body, LOCAL_BLOCK, out);
  if (action == WI_ALLOCATOR_STORE)
    put_stored_block(body, out);
  else
    put_result(body, out);
  put_offset(body, out);
  put_get_i64(body, LOCAL_SIZE, out);
  put_outermost(body, out);
  wi_put_index(out, CALL, exit_function(body));
}

/* ---- memory.grow -------------------------------------------------------------- */

/* Whether the memory that grows has 64-bit addresses. */
static bool grows_64(const wi_follow_body *body, const wi_site *site) {
  wi_error ignored;
  wi_cursor cursor = wi_site_operands(body->module, site, &ignored);
  return wi_module_memory_is_64(body->module, wi_cursor_u32(&cursor));
}

static void put_grow_operand(const wi_follow_body *body, bool is_64, uint32_t local,
                             uint32_t local_64, wi_buffer *out) {
  wi_put_index(out, LOCAL_GET, is_64 ? body->i64_locals + local_64 : body->i32_locals + local);
  if (!is_64)
    wi_buffer_u8(out, I64_EXTEND_I32_S); /* keeps -1 */
}

static void put_before_grow(const wi_follow_body *body, const wi_site *site, wi_buffer *out) {
  wi_put_index(out, LOCAL_TEE,
               grows_64(body, site) ? body->i64_locals + LOCAL_PAGES_64
                                    : body->i32_locals + LOCAL_PAGES);
}

static void put_after_grow(const wi_follow_body *body, const wi_site *site, wi_buffer *out) {
  bool is_64 = grows_64(body, site);
  wi_put_index(out, LOCAL_TEE,
               is_64 ? body->i64_locals + LOCAL_GROW_RESULT_64
                     : body->i32_locals + LOCAL_GROW_RESULT);
  put_account_slot(body, out);
  put_grow_operand(body, is_64, LOCAL_PAGES, LOCAL_PAGES_64, out);
  put_grow_operand(body, is_64, LOCAL_GROW_RESULT, LOCAL_GROW_RESULT_64, out);
  wi_put_index(out, CALL, function_of(body, GROWN));
}

/* ---- Bulk instructions --------------------------------------------------------- */

static uint32_t length_local(const wi_follow_body *body, bool is_64) {
  return is_64 ? body->i64_locals + LOCAL_LENGTH_64 : body->i32_locals + LOCAL_LENGTH;
}

static void put_before_bulk(const wi_follow_body *body, const wi_site *site, wi_buffer *out) {
  wi_put_index(out, LOCAL_TEE, length_local(body, wi_bulk_is_64(body->module, site)));
}

static void put_after_bulk(const wi_follow_body *body, const wi_site *site, wi_buffer *out) {
  bool is_64 = wi_bulk_is_64(body->module, site);
  put_account_slot(body, out);
  wi_put_index(out, LOCAL_GET, length_local(body, is_64));
  if (!is_64)
    wi_buffer_u8(out, I64_EXTEND_I32_U);
  wi_put_i32(out, wi_bulk_is_of_elements(site) ? WASM_PERF_MEASURE_BULK_ELEMENTS
                                               : WASM_PERF_MEASURE_BULK_BYTES);
  wi_put_index(out, CALL, function_of(body, COUNT));
}

/* ---- Objects -------------------------------------------------------------------- */

static void put_before(const wi_follow_body *body, const wi_site *site, wi_buffer *out) {
  if (site->kind != WI_SITE_OPCODE)
    return;
  if (site->value == MEMORY_GROW)
    put_before_grow(body, site, out);
  else if (wi_bulk_is(site))
    put_before_bulk(body, site, out);
  else if (wi_gc_types_is_new(site) && wi_gc_types_takes_count(site))
    wi_put_index(out, LOCAL_TEE, body->i32_locals + LOCAL_ITEMS);
}

static void put_after_new(const wi_follow_body *body, const wi_site *site, uint32_t slot,
                          wi_buffer *out) {
  const allocations *all = body->following->state;
  put_node_address(body, slot, out);
  if (wi_gc_types_takes_count(site))
    wi_put_index(out, LOCAL_GET, body->i32_locals + LOCAL_ITEMS);
  else
    wi_put_i32(out, wi_gc_types_fixed_count(body->module, site));
  wi_put_index(out, CALL,
               wi_gc_types_function(&all->gc, functions_of(body->following), body->module, site));
}

static void put_after(const wi_follow_body *body, const wi_site *site, uint32_t slot,
                      wi_buffer *out) {
  if (site->value == MEMORY_GROW)
    put_after_grow(body, site, out);
  else if (wi_bulk_is(site))
    put_after_bulk(body, site, out);
  else if (wi_gc_types_is_new(site))
    put_after_new(body, site, slot, out);
}

const wi_follower wi_follow_memory = {.name = "memory",
                                      .exports = exports,
                                      .keeps_leaves = true,
                                      .find = find,
                                      .clear = clear,
                                      .want = want,
                                      .traits = traits,
                                      .needs_slot = wi_gc_types_is_new,
                                      .note = note,
                                      .stand_ins = stand_ins,
                                      .put_section = put_section,
                                      .put_names = put_names,
                                      .put_facts = put_facts,
                                      .describe = describe,
                                      .begin = begin,
                                      .put_start = put_start,
                                      .put_before = put_before,
                                      .put_after = put_after,
                                      .put_exit = put_exit};
