/*
 * The edits of one function body in the linked form. They implement the hook contract.
 *
 * If all exits of a body are unconditional, perf_end is inserted before each. If one is
 * conditional, the body is wrapped in a block of the function's result type: the function's label
 * becomes the block's, and every branch to it arrives before perf_end.
 *
 * Where a caught exception continues, perf_unwind drops the frames that the exception unwound. They
 * may belong to any callee, so functions without hooks do this, too.
 *
 * With the instruction clock, every function keeps the count in a local, adds to it at the end of
 * each basic block, and passes it on in a global: it stores the global before an instruction that
 * may leave the function, and loads it again after one that returns. A function that catches
 * exceptions stores the global in every block, since any instruction may throw.
 */
#include "hooks/linked/linked_body.h"

#include "hooks/linked/hooks.h"
#include "rewrite/body_parts.h"
#include "rewrite/opcodes.h"

/* Decisions about a body, made before its edits. */
typedef struct body {
  const wi_plan *plan;
  const wi_scan *scan;
  const wi_type *type;
  wi_edits *edits;
  uint32_t function;    /* function index in the input */
  uint32_t depth_local; /* i32: stack depth inside the function */
  uint32_t clock_local; /* i64: instruction count */
  bool hooked;
  bool counts;      /* counts instructions */
  bool keeps_depth; /* drops unwound frames */
  bool depth_at_entry;
  bool flushes; /* calls perf_flush on exit */
  bool wrapped;
} body;

/* Imports added by an earlier instrumentation are hooks: they unwind no frames. */
static bool is_host_call(const wi_plan *plan, const wi_site *site) {
  wi_span old = plan->linked->old_hooks;
  return site->kind == WI_SITE_IMPORT_CALL && site->value - old.offset >= old.size;
}

static bool has_landing_pad(const wi_scan *scan) {
  for (uint32_t i = 0; i < scan->sites_count; i++)
    if (scan->sites[i].kind == WI_SITE_LANDING_PAD)
      return true;
  return scan->catch_to_function;
}

static bool has_host_call(const wi_plan *plan, const wi_scan *scan) {
  for (uint32_t i = 0; i < scan->sites_count; i++)
    if (is_host_call(plan, &scan->sites[i]))
      return true;
  return false;
}

bool wi_linked_needs_depth(const wi_plan *plan, const wi_scan *scan) {
  return plan->chosen_count > 0 && (has_landing_pad(scan) || has_host_call(plan, scan));
}

/*
 * A function without hooks should cost next to nothing. If it only calls the host, it reads the
 * depth there rather than on each entry.
 */
static bool gets_depth_at_entry(const body *b) {
  return b->keeps_depth && (b->hooked || has_landing_pad(b->scan));
}

/* ---- Inserted code ------------------------------------------------------ */

static void put_call(const body *b, wi_hook hook) {
  wi_buffer_u8(&b->edits->bytes, CALL);
  wi_buffer_u32(&b->edits->bytes, b->plan->linked->hooks[hook]);
}

static void put_index(const body *b, uint8_t opcode, uint32_t index) {
  wi_put_index(&b->edits->bytes, opcode, index);
}

static void put_store_clock(const body *b) {
  put_index(b, LOCAL_GET, b->clock_local);
  put_index(b, GLOBAL_SET, b->plan->linked->clock_global);
}

static void put_load_clock(const body *b) {
  put_index(b, GLOBAL_GET, b->plan->linked->clock_global);
  put_index(b, LOCAL_SET, b->clock_local);
}

static void put_depth(const body *b) {
  put_call(b, WI_HOOK_DEPTH);
  put_index(b, LOCAL_SET, b->depth_local);
}

static void put_unwind(const body *b) {
  put_index(b, LOCAL_GET, b->depth_local);
  if (b->counts)
    put_index(b, LOCAL_GET, b->clock_local);
  else if (b->plan->linked->counts)
    put_index(b, GLOBAL_GET, b->plan->linked->clock_global);
  put_call(b, b->plan->linked->counts ? WI_HOOK_UNWIND_AT : WI_HOOK_UNWIND);
}

static void put_end(const body *b) {
  if (b->counts)
    put_index(b, LOCAL_GET, b->clock_local);
  put_call(b, b->counts ? WI_HOOK_END_AT : WI_HOOK_END);
}

static void put_flush(const body *b) {
  put_call(b, WI_HOOK_FLUSH);
}

static void put_leave(const body *b) {
  if (b->counts)
    put_store_clock(b);
  if (b->hooked)
    put_end(b);
  if (b->flushes)
    put_flush(b);
}

static void put_landing_pad(const body *b) {
  if (b->counts)
    put_load_clock(b);
  if (b->keeps_depth)
    put_unwind(b);
}

static void put_start(const body *b) {
  if (b->hooked)
    wi_put_i32(&b->edits->bytes, wi_plan_function_index(b->plan, b->function));
  if (b->counts) {
    put_index(b, GLOBAL_GET, b->plan->linked->clock_global);
    put_index(b, b->hooked ? LOCAL_TEE : LOCAL_SET, b->clock_local);
  }
  if (b->hooked)
    put_call(b, b->counts ? WI_HOOK_START_AT : WI_HOOK_START);
}

/* ---- Edits ---------------------------------------------------------------- */

/* Inserts the bytes that `put` appends, if any. */
static void insert(const body *b, uint32_t offset, void (*put)(const body *)) {
  wi_edits_begin(b->edits, offset, 0);
  put(b);
  wi_edits_end(b->edits);
}

static void edit_entry(const body *b) {
  wi_buffer *bytes = &b->edits->bytes;
  wi_edits_begin(b->edits, b->scan->code_offset, 0);
  wi_body_put_local_group(bytes, b->keeps_depth, TYPE_I32);
  wi_body_put_local_group(bytes, b->counts, TYPE_I64);
  put_start(b);
  if (b->depth_at_entry)
    put_depth(b);
  if (b->wrapped)
    wi_body_put_block(b->plan, b->type, bytes);
  wi_edits_end(b->edits);
}

static void edit_exit(const body *b) {
  wi_edits_begin(b->edits, b->scan->end_offset, 0);
  if (b->wrapped)
    wi_buffer_u8(&b->edits->bytes, END);
  if (b->counts && b->scan->catch_to_function)
    put_load_clock(b);
  if (b->keeps_depth && b->scan->catch_to_function)
    put_unwind(b);
  put_leave(b);
  wi_edits_end(b->edits);
}

/* proc_exit ends the program, so the profile must be written before. */
static void edit_program_end(const body *b, const wi_site *site) {
  if (wi_ends_is_exit(&b->plan->linked->ends, site->value))
    insert(b, site->offset, put_flush);
}

static void edit_store_clock(const body *b, uint32_t offset) {
  if (b->counts && !b->scan->catches) /* otherwise every block stores it */
    insert(b, offset, put_store_clock);
}

static void edit_load_clock(const body *b, uint32_t offset) {
  if (b->counts)
    insert(b, offset, put_load_clock);
}

static void edit_basic_block(const body *b, const wi_site *site) {
  if (!b->counts)
    return;
  wi_edits_begin(b->edits, site->offset, 0);
  put_index(b, LOCAL_GET, b->clock_local);
  wi_put_i64(&b->edits->bytes, site->value);
  wi_buffer_u8(&b->edits->bytes, I64_ADD);
  put_index(b, b->scan->catches ? LOCAL_TEE : LOCAL_SET, b->clock_local);
  if (b->scan->catches)
    put_index(b, GLOBAL_SET, b->plan->linked->clock_global);
  wi_edits_end(b->edits);
}

/* A frame for the import. The unwinding after the call closes it, with any frames left inside. */
static void edit_host_frame(const body *b, const wi_site *site) {
  if (!b->plan->host_calls || !b->hooked)
    return;
  wi_edits_begin(b->edits, site->offset, 0);
  wi_put_i32(&b->edits->bytes, site->value);
  if (b->counts)
    put_index(b, LOCAL_GET, b->clock_local);
  put_call(b, b->counts ? WI_HOOK_START_AT : WI_HOOK_START);
  wi_edits_end(b->edits);
}

static void edit_import_call(const body *b, const wi_site *site) {
  edit_store_clock(b, site->offset);
  if (!is_host_call(b->plan, site)) {
    edit_load_clock(b, site->offset + site->size);
    return;
  }
  if (b->keeps_depth && !b->depth_at_entry)
    insert(b, site->offset, put_depth);
  edit_host_frame(b, site);
  insert(b, site->offset + site->size, put_landing_pad);
}

static void edit_site(const body *b, const wi_site *site) {
  switch ((wi_site_kind)site->kind) {
  case WI_SITE_FUNCTION_INDEX:
  case WI_SITE_REFERENCE: wi_body_edit_function_index(b->plan, site, b->edits); break;
  case WI_SITE_IMPORT_CALL:
    edit_program_end(b, site);
    edit_import_call(b, site);
    break;
  case WI_SITE_RETURN: insert(b, site->offset, put_leave); break;
  case WI_SITE_BRANCH_OUT:
    if (!b->wrapped)
      insert(b, site->offset, put_leave);
    break;
  case WI_SITE_TAIL_CALL:
    insert(b, site->offset, put_leave);
    edit_program_end(b, site);
    break;
  case WI_SITE_LANDING_PAD: insert(b, site->offset, put_landing_pad); break;
  case WI_SITE_BEFORE_CALL:
  case WI_SITE_THROW: edit_store_clock(b, site->offset); break;
  case WI_SITE_AFTER_CALL: edit_load_clock(b, site->offset); break;
  case WI_SITE_BASIC_BLOCK: edit_basic_block(b, site); break;
  default: break;
  }
}

static void edit_body(const body *b, wi_span code) {
  wi_edits_reset(b->edits);
  uint32_t group_count = (uint32_t)b->keeps_depth + b->counts;
  if (group_count > 0)
    wi_body_edit_local_count(b->plan, code, group_count, b->edits);
  edit_entry(b);
  for (uint32_t i = 0; i < b->scan->sites_count; i++)
    edit_site(b, &b->scan->sites[i]);
  edit_exit(b);
}

/* What to omit from a body that would exceed an engine's limit. */
typedef enum omission { OMIT_NOTHING, OMIT_HOOKS, OMIT_UNWINDING } omission;

static void decide(body *b, omission omitted) {
  const wi_plan *plan = b->plan;
  b->flushes = b->function == plan->linked->ends.entry;
  b->hooked = omitted < OMIT_HOOKS && plan->chosen[b->function - plan->module->imports_count];
  b->counts = omitted < OMIT_HOOKS && plan->linked->counts;
  b->keeps_depth = omitted < OMIT_UNWINDING && wi_linked_needs_depth(plan, b->scan);
  b->depth_at_entry = gets_depth_at_entry(b);
  bool leaves = b->hooked || b->counts || b->flushes;
  bool unwinds = b->keeps_depth && b->scan->catch_to_function;
  b->wrapped = b->scan->conditional_exit && (leaves || unwinds);
  b->clock_local = b->depth_local + b->keeps_depth;
}

bool wi_linked_wraps(const wi_plan *plan, const wi_scan *scan, uint32_t function) {
  body b = {.plan = plan, .scan = scan, .function = function};
  decide(&b, OMIT_NOTHING);
  return b.wrapped;
}

/* Whether the edited body stays within the limits of engines. */
static bool fits(const body *b, wi_span code) {
  uint64_t locals = (uint64_t)b->depth_local + b->keeps_depth + b->counts;
  return locals <= WI_LIMIT_LOCAL_COUNT &&
         code.size + wi_edits_growth(b->edits) <= WI_LIMIT_BODY_SIZE;
}

bool wi_linked_body(const wi_plan *plan, const wi_scan *scan, uint32_t index, wi_edits *edits,
                    wi_body_plan *result, wi_error *error) {
  wi_span code = plan->module->bodies[index];
  body b = {.plan = plan, .scan = scan, .edits = edits};
  b.function = plan->module->imports_count + index;
  b.type = wi_module_function_type(plan->module, b.function);
  if (!b.type)
    return wi_error_set(error, WI_ERROR_MALFORMED, code.offset, b.function,
                        "the function's type index does not refer to a function type");
  b.depth_local = b.type->param_count + scan->local_count;
  for (omission omitted = OMIT_NOTHING; omitted <= OMIT_UNWINDING; omitted++) {
    decide(&b, omitted);
    edit_body(&b, code);
    if (fits(&b, code))
      break;
  }
  *result = (wi_body_plan){b.hooked, b.wrapped, 0};
  return !edits->bytes.failed || wi_error_memory(error);
}
