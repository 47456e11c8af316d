/* The edits of one body: code inserted at its entry, at sites and at exits. */
#include "hooks/embedded/body.h"

#include "hooks/embedded/node_code.h"
#include "hooks/embedded/tally_code.h"
#include "rewrite/body_parts.h"
#include "rewrite/opcodes.h"
#include "runtime/embedded/embed.h"

/* Decisions about a body, made before its edits. */
typedef struct embedded_body {
  const wi_plan *plan;
  const wi_embed *embed;
  wi_body_scratch *scratch;
  const wi_scan *scan;
  const wi_type *type;
  wi_edits *edits;
  uint32_t function;     /* function index in the input */
  bool hooked;           /* has a node */
  bool is_leaf;          /* its callers count its calls: no hooks, but its blocks are counted */
  bool borrows;          /* counts in its caller's node, or in the running guest function's */
  bool counts;           /* counts instructions, in one of these nodes, according to tallies */
  bool takes;            /* takes a slot shared with other functions: replaces it by the root's */
  bool restores;         /* restores the slot on exit, or for the callee that replaces it */
  bool catches_unhooked; /* without hooks: restores the slot where it catches */
  bool writes_profile;   /* writes the profile on exit: the program ends */
  bool wrapped;
  uint32_t node_local;  /* i32: address of the node */
  uint32_t entry_local; /* i32: the slot through which it was entered */
  uint32_t self_local;  /* i64: instructions not yet added to the node; not always needed */
  unsigned traits;      /* requirements of followers: wi_follow_trait */
  wi_follow_bodies follow;
  wi_node_code node_code;
  wi_tally_code tally_code;
  /* Progress of the edits. */
  uint32_t next_block;              /* address of the next block's count; 0: blocks are not
                                       counted */
  uint32_t next_slot[WI_SLOT_NONE]; /* offset of the next free slot of each kind */
  uint32_t next_leaf;               /* offset of the next count of a leaf's calls */
  uint32_t entry_labels;            /* structured instructions inserted before the function's own */
  size_t miss;                      /* position of a miss's `if` in the bytes of edits; 0: none */
} embedded_body;

static bool keeps_entry_slot(const embedded_body *b) {
  return b->restores || b->catches_unhooked;
}

/* Whether the slot is saved after finding the node: the runtime has checked it if necessary. */
static bool takes_checked_slot(const embedded_body *b) {
  return b->takes && (b->traits & WI_FOLLOW_SETS_SLOT) == 0;
}

static bool has_node_local(const embedded_body *b) {
  return b->hooked || b->borrows;
}

/* Whether callees find the function's node through their slot. */
static bool sets_slots(const embedded_body *b) {
  return b->hooked && !b->embed->excludes_others;
}

static bool has_index_local(const embedded_body *b) {
  return b->scan->has_table_edges && (b->hooked || b->is_leaf);
}

/* Excludes the followers' locals. */
static uint32_t own_i32_count(const embedded_body *b) {
  return (uint32_t)has_node_local(b) + keeps_entry_slot(b) + has_index_local(b);
}

static uint32_t added_i32_count(const embedded_body *b) {
  return own_i32_count(b) + b->follow.i32_count;
}

static bool counts_in_local(const embedded_body *b) {
  return b->counts && b->scratch->tallies.uses_local;
}

static uint32_t added_i64_count(const embedded_body *b) {
  return counts_in_local(b) + b->follow.i64_count;
}

/* ---- Inserted code ------------------------------------------------------ */

static wi_buffer *bytes_of(embedded_body *b) {
  return &b->edits->bytes;
}

static void put_index(embedded_body *b, uint8_t opcode, uint32_t index) {
  wi_put_index(bytes_of(b), opcode, index);
}

/* The tally of a site; after all sites, of the end of the function's label and of the exit. */
static wi_tally tally_of(const embedded_body *b, uint32_t site) {
  return b->counts ? b->scratch->tallies.items[site] : (wi_tally){0};
}

static void put_count(embedded_body *b, wi_tally tally) {
  wi_tally_put_count(&b->tally_code, tally, bytes_of(b));
}

static void put_flush_self(embedded_body *b, wi_tally tally) {
  wi_tally_put_flush(&b->tally_code, tally, bytes_of(b));
}

/* As put_flush_self, if an exception may continue in this function. */
static void put_flush_before_throw(embedded_body *b, wi_tally tally) {
  put_flush_self(b, tally);
  if (b->counts && b->scratch->tallies.zeroes_local)
    wi_tally_put_zero(&b->tally_code, bytes_of(b));
}

static void put_keep_slot(embedded_body *b) {
  put_index(b, GLOBAL_GET, b->embed->slot_global);
  put_index(b, LOCAL_SET, b->entry_local);
}

static void put_restore_slot(embedded_body *b) {
  put_index(b, LOCAL_GET, b->entry_local);
  put_index(b, GLOBAL_SET, b->embed->slot_global);
}

/* No frame's slot is live until one stores its own. */
static void put_root_slot(embedded_body *b) {
  wi_put_i32(bytes_of(b), wi_embed_root_slot(b->embed));
  put_index(b, GLOBAL_SET, b->embed->slot_global);
}

static void put_leave(embedded_body *b, wi_tally tally, bool is_tail_call) {
  put_flush_self(b, tally);
  wi_follow_bodies_put_exit(&b->follow, is_tail_call, bytes_of(b));
  if (b->restores)
    put_restore_slot(b);
  if (b->writes_profile)
    put_index(b, CALL, b->embed->write_profile);
}

/* ---- Slots ---------------------------------------------------------------- */

/*
 * Takes the next slot of this kind; survey.c has counted them. An interpreter's callees share a few
 * pairs, in turn.
 */
static uint32_t take_slot(embedded_body *b, wi_slot_kind kind) {
  enum { WORD_SIZE = 4, PAIRS_SIZE = 8 * EMBED_INTERPRETER_PAIRS };
  bool interprets = b->hooked && (b->traits & WI_FOLLOW_INTERPRETS);
  uint32_t *next = &b->next_slot[interprets ? WI_SLOT_PAIR : kind];
  uint32_t offset = *next;
  *next += interprets || kind == WI_SLOT_PAIR ? 2 * WORD_SIZE : WORD_SIZE;
  if (interprets)
    *next =
        wi_embed_slots_offset(b->embed) + (*next - wi_embed_slots_offset(b->embed)) % PAIRS_SIZE;
  return offset;
}

/* Call before taking any slot of the function's node. */
static void begin_slots(embedded_body *b) {
  b->scratch->serial++;
  for (wi_slot_kind kind = 0; kind < WI_SLOT_NONE; kind++)
    b->next_slot[kind] = wi_embed_first_slot(b->embed, b->function, kind);
  b->next_leaf = wi_embed_leaves_offset(b->embed, b->function);
  bool has_blocks = b->hooked || b->is_leaf;
  b->next_block = has_blocks ? wi_embed_first_block(b->embed, b->function) : 0;
  for (uint32_t i = 0; i < b->follow.count; i++)
    if (b->follow.items[i].needs_account)
      b->follow.items[i].account = take_slot(b, WI_SLOT_OWN);
}

/* The slot of a callee, or of all imports; the same for each of its calls. */
static uint32_t slot_of(embedded_body *b, wi_slot_place *place, wi_slot_kind kind) {
  if (place->serial != b->scratch->serial)
    *place = (wi_slot_place){.serial = b->scratch->serial, .offset = take_slot(b, kind)};
  return place->offset;
}

static void put_set_slot(embedded_body *b, uint32_t offset) {
  wi_node_put_set_slot(&b->node_code, offset, bytes_of(b));
}

static void put_count_leaf(embedded_body *b, uint32_t leaf) {
  wi_slot_place *place = &b->scratch->places[leaf];
  if (place->serial != b->scratch->serial) {
    *place = (wi_slot_place){.serial = b->scratch->serial, .offset = b->next_leaf};
    b->next_leaf += 8;
  }
  wi_node_put_count_call(&b->node_code, place->offset, bytes_of(b));
}

/* ---- Edits ---------------------------------------------------------------- */

static void put_callee_slot(embedded_body *b, uint32_t callee) {
  bool is_indirect = callee == WI_NO_FUNCTION;
  wi_slot_kind kind = is_indirect ? WI_SLOT_PAIR : wi_embed_callee_slot(b->embed, callee);
  if (is_indirect)
    put_set_slot(b, take_slot(b, kind));
  else if (wi_embed_is_leaf(b->embed, callee))
    put_count_leaf(b, callee);
  else if (kind != WI_SLOT_NONE)
    put_set_slot(b, slot_of(b, &b->scratch->places[callee], kind));
}

/*
 * A function without hooks that restores its slot calls through the slot that it was entered
 * through.
 */
static void edit_before_call(embedded_body *b, const wi_site *site, wi_tally tally) {
  bool is_indirect = site->value == WI_NO_FUNCTION;
  wi_edits_begin(b->edits, site->offset, 0);
  put_flush_before_throw(b, tally);
  if (sets_slots(b))
    put_callee_slot(b, site->value);
  else if (is_indirect && b->restores && !b->hooked)
    put_restore_slot(b);
  wi_follow_bodies_put_before(&b->follow, site, bytes_of(b));
  wi_edits_end(b->edits);
}

static void put_import_slot(embedded_body *b, const wi_site *site) {
  if (b->embed->host_calls) {
    uint32_t slot = slot_of(b, &b->scratch->places[site->value], WI_SLOT_OWN);
    wi_put_i32(bytes_of(b), site->value);
    wi_node_put_address(&b->node_code, slot, bytes_of(b));
    put_index(b, CALL, b->embed->enter_host);
  } else {
    put_set_slot(b, slot_of(b, &b->scratch->places[b->embed->function_count], WI_SLOT_PAIR));
  }
  if (wi_ends_by_throw(b->plan->module, site))
    put_root_slot(b);
}

static bool ends_program(const embedded_body *b, const wi_site *site) {
  return b->embed->outlet.writer && wi_ends_is_exit(&b->embed->outlet.ends, site->value);
}

/* Another function may take the place of the import. */
static void edit_callee(embedded_body *b, const wi_site *site) {
  uint32_t callee = wi_plan_used_index(b->plan, site->value);
  if (callee == site->value)
    return;
  wi_edits_begin(b->edits, site->offset + 1, site->size - 1u); /* after the opcode */
  wi_buffer_u32(bytes_of(b), callee);
  wi_edits_end(b->edits);
}

static void edit_import_call(embedded_body *b, const wi_site *site, wi_tally tally) {
  wi_edits_begin(b->edits, site->offset, 0);
  put_flush_before_throw(b, tally);
  if (ends_program(b, site))
    put_index(b, CALL, b->embed->write_profile);
  if (sets_slots(b))
    put_import_slot(b, site);
  wi_edits_end(b->edits);
  edit_callee(b, site);
  if (!sets_slots(b))
    return;
  wi_edits_begin(b->edits, site->offset + site->size, 0);
  put_root_slot(b);
  wi_edits_end(b->edits);
}

static void edit_leave(embedded_body *b, const wi_site *site, wi_tally tally, bool ends) {
  wi_edits_begin(b->edits, site->offset, 0);
  put_leave(b, tally, site->kind == WI_SITE_TAIL_CALL);
  if (ends && !b->writes_profile)
    put_index(b, CALL, b->embed->write_profile);
  wi_edits_end(b->edits);
}

/* Aborts and panics end in an unreachable. */
static void edit_unreachable(embedded_body *b, const wi_site *site, wi_tally tally) {
  wi_edits_begin(b->edits, site->offset, 0);
  put_flush_self(b, tally);
  if (b->embed->outlet.writer)
    put_index(b, CALL, b->embed->write_profile);
  wi_edits_end(b->edits);
}

static void edit_throw(embedded_body *b, const wi_site *site, wi_tally tally) {
  wi_edits_begin(b->edits, site->offset, 0);
  put_flush_before_throw(b, tally);
  wi_edits_end(b->edits);
}

static void edit_branch(embedded_body *b, const wi_site *site, wi_tally tally) {
  wi_edits_begin(b->edits, site->offset, 0);
  put_count(b, tally);
  wi_edits_end(b->edits);
}

/*
 * An exception that leaves a call must not leave its slot live: if another exception then ends this
 * function, another module may catch it, which restores nothing.
 */
static void edit_landing_pad(embedded_body *b, const wi_site *site) {
  if (!b->catches_unhooked && !b->hooked)
    return;
  wi_edits_begin(b->edits, site->offset, 0);
  if (b->hooked && b->embed->excludes_others)
    put_set_slot(b, wi_embed_slots_offset(b->embed));
  else if (b->hooked)
    put_root_slot(b);
  else
    put_restore_slot(b);
  wi_edits_end(b->edits);
}

/* A block's end is only reached if all of it has executed, without an out-of-bounds access. */
static void edit_counters(embedded_body *b, const wi_site *site) {
  if (b->next_block == 0)
    return;
  wi_edits_begin(b->edits, site->offset, 0);
  b->next_block += wi_node_put_counter(&b->node_code, site, b->next_block, bytes_of(b));
  wi_edits_end(b->edits);
}

/* Edits around an instruction that some follower wants. */
static void edit_opcode(embedded_body *b, const wi_site *site) {
  bool has_slot = sets_slots(b) && wi_followings_need_slot(&b->embed->following, site);
  uint32_t slot = has_slot ? take_slot(b, WI_SLOT_OWN) : 0;
  wi_edits_begin(b->edits, site->offset, 0);
  wi_follow_bodies_put_before(&b->follow, site, bytes_of(b));
  wi_edits_end(b->edits);
  wi_edits_begin(b->edits, site->offset + site->size, 0);
  wi_follow_bodies_put_after(&b->follow, site, slot, bytes_of(b));
  wi_edits_end(b->edits);
}

static void edit_store(embedded_body *b, const wi_site *site, wi_tally tally) {
  if (!b->hooked)
    return;
  wi_edits_begin(b->edits, site->offset, 0);
  if (site->kind == WI_SITE_STORED)
    put_flush_before_throw(b, tally);
  wi_follow_bodies_put_before(&b->follow, site, bytes_of(b));
  wi_edits_end(b->edits);
}

static void edit_site(embedded_body *b, uint32_t i) {
  const wi_site *site = &b->scan->sites[i];
  wi_tally tally = tally_of(b, i);
  switch ((wi_site_kind)site->kind) {
  case WI_SITE_FUNCTION_INDEX:
  case WI_SITE_REFERENCE: wi_body_edit_function_index(b->plan, site, b->edits); break;
  case WI_SITE_IMPORT_CALL: edit_import_call(b, site, tally); break;
  case WI_SITE_BEFORE_CALL: edit_before_call(b, site, tally); break;
  case WI_SITE_RETURN: edit_leave(b, site, tally, false); break;
  case WI_SITE_BRANCH_OUT:
    if (!b->wrapped)
      edit_leave(b, site, tally, false);
    break;
  case WI_SITE_TAIL_CALL: edit_leave(b, site, tally, ends_program(b, site)); break;
  case WI_SITE_LANDING_PAD: edit_landing_pad(b, site); break;
  case WI_SITE_THROW: edit_throw(b, site, tally); break;
  case WI_SITE_UNREACHABLE: edit_unreachable(b, site, tally); break;
  case WI_SITE_BASIC_BLOCK:
  case WI_SITE_TABLE_EDGES: edit_counters(b, site); break;
  case WI_SITE_OPCODE: edit_opcode(b, site); break;
  case WI_SITE_STORE:
  case WI_SITE_STORED: edit_store(b, site, tally); break;
  case WI_SITE_LABEL:
  case WI_SITE_ARM:
  case WI_SITE_LABEL_END:
  case WI_SITE_BRANCH:
  case WI_SITE_BRANCH_IF:
  case WI_SITE_BRANCH_TABLE: edit_branch(b, site, tally); break;
  default: break;
  }
}

static void put_node(embedded_body *b) {
  if (has_node_local(b) && b->embed->excludes_others) {
    wi_node_put_running(&b->node_code, bytes_of(b));
  } else if (b->borrows) {
    wi_node_put_find_owner(&b->node_code, bytes_of(b));
  } else if (b->hooked) {
    uint32_t function = wi_plan_function_index(b->plan, b->function);
    bool shares = wi_embed_shares_slot(b->embed, b->function);
    b->miss = wi_node_put_find(&b->node_code, function, shares, bytes_of(b));
    wi_node_put_count_call(&b->node_code, EMBED_NODE_CALLS, bytes_of(b));
    b->entry_labels++;
  }
}

static void edit_entry(embedded_body *b) {
  wi_edits_begin(b->edits, b->scan->code_offset, 0);
  wi_body_put_local_group(bytes_of(b), added_i32_count(b), TYPE_I32);
  wi_body_put_local_group(bytes_of(b), added_i64_count(b), TYPE_I64);
  if (keeps_entry_slot(b) && !takes_checked_slot(b))
    put_keep_slot(b);
  b->entry_labels += wi_follow_bodies_put_entry(&b->follow, bytes_of(b));
  put_node(b);
  if (keeps_entry_slot(b) && takes_checked_slot(b))
    put_keep_slot(b);
  if (b->takes)
    put_root_slot(b);
  b->entry_labels += wi_follow_bodies_put_start(&b->follow, bytes_of(b));
  b->entry_labels += b->wrapped;
  if (b->wrapped)
    wi_body_put_block(b->plan, b->type, bytes_of(b));
  wi_edits_end(b->edits);
}

static void edit_exit(embedded_body *b) {
  wi_edits_begin(b->edits, b->scan->end_offset, 0);
  put_count(b, tally_of(b, b->scan->sites_count));
  if (b->wrapped)
    wi_buffer_u8(bytes_of(b), END);
  if (b->catches_unhooked && b->scan->catch_to_function)
    put_restore_slot(b);
  put_leave(b, tally_of(b, b->scan->sites_count + 1), false);
  wi_edits_end(b->edits);
}

/* Returns the position of the miss's `if` in the output, see wi_body_plan; 0 if there is none. */
static uint32_t edit_body(embedded_body *b, wi_span code) {
  uint32_t group_count = (uint32_t)(added_i32_count(b) > 0) + (added_i64_count(b) > 0);
  wi_edits_reset(b->edits);
  if (group_count > 0)
    wi_body_edit_local_count(b->plan, code, group_count, b->edits);
  int64_t entry = b->scan->code_offset - code.offset + wi_edits_growth(b->edits);
  size_t entry_bytes = bytes_of(b)->size;
  edit_entry(b);
  for (uint32_t i = 0; i < b->scan->sites_count; i++)
    edit_site(b, i);
  edit_exit(b);
  return b->miss > 0 ? (uint32_t)(entry + (int64_t)(b->miss - entry_bytes)) : 0;
}

/* ---- The body ---------------------------------------------------------------- */

/*
 * Whether a body without hooks that saves its slot stays within engine limits; see fits in
 * survey.c.
 */
static bool may_grow(const embedded_body *b) {
  enum { SITE_SIZE = 16, ENTRY_SIZE = 64 };
  uint64_t locals = (uint64_t)b->scan->local_count + b->type->param_count + 1;
  wi_span code = b->plan->module->bodies[b->function - b->plan->module->imports_count];
  return locals <= WI_LIMIT_LOCAL_COUNT &&
         code.size + ENTRY_SIZE + (uint64_t)SITE_SIZE * b->scan->sites_count <= WI_LIMIT_BODY_SIZE;
}

static void decide(embedded_body *b) {
  unsigned flags = b->embed->flags[b->function];
  b->is_leaf = wi_embed_is_leaf(b->embed, b->function);
  b->hooked = (flags & WI_CALLEE_CHOSEN) != 0 && !b->is_leaf;
  b->borrows = (flags & WI_CALLEE_BORROWS) != 0;
  b->counts = (b->hooked && b->embed->counts) || b->borrows;
  uint32_t account_count;
  b->traits = wi_followings_traits(&b->embed->following, b->plan->module, b->scan, b->function,
                                   &account_count);
  wi_follow_bodies_begin(&b->follow, &b->embed->following,
                         &(wi_follow_body){.module = b->plan->module,
                                           .scan = b->scan,
                                           .type = b->type,
                                           .function = b->function,
                                           .hooked = b->hooked,
                                           .interprets = (b->traits & WI_FOLLOW_INTERPRETS) != 0,
                                           .memory_index = b->embed->memory_index,
                                           .executed_global = b->embed->executed_global});
  b->takes = sets_slots(b) && wi_embed_shares_slot(b->embed, b->function);
  b->restores = (b->takes && wi_embed_restores_slot(b->embed, b->function)) ||
                (b->hooked && b->embed->excludes_others) || (b->traits & WI_FOLLOW_RESTORES) != 0;
  b->catches_unhooked = !b->hooked && (flags & WI_CALLEE_CATCHES) != 0 && may_grow(b);
  b->writes_profile = b->embed->outlet.writer && b->function == b->embed->outlet.ends.entry;
  bool acts_at_end = b->counts || b->restores || b->writes_profile || b->follow.acts_at_exit ||
                     (b->catches_unhooked && b->scan->catch_to_function);
  b->wrapped = b->scan->conditional_exit && acts_at_end;
}

bool wi_embed_body(const wi_plan *plan, const wi_scan *scan, uint32_t index, wi_edits *edits,
                   wi_body_plan *result, wi_error *error) {
  wi_span code = plan->module->bodies[index];
  embedded_body b = {.plan = plan,
                     .embed = plan->embed,
                     .scratch = plan->embed->scratch,
                     .scan = scan,
                     .edits = edits,
                     .function = plan->module->imports_count + index};
  b.type = wi_module_function_type(plan->module, b.function);
  if (!b.type)
    return wi_error_set(error, WI_ERROR_MALFORMED, code.offset, b.function,
                        "the function's type index does not refer to a function type");
  decide(&b);
  if (b.counts && !wi_tallies_find(&b.scratch->tallies, scan, b.wrapped))
    return wi_error_memory(error);
  b.node_local = b.type->param_count + scan->local_count;
  b.entry_local = b.node_local + has_node_local(&b);
  b.self_local = b.node_local + added_i32_count(&b);
  b.node_code = (wi_node_code){plan->embed, b.node_local, b.entry_local + keeps_entry_slot(&b)};
  b.tally_code = (wi_tally_code){plan->embed->memory_index, b.node_local, b.self_local,
                                 plan->embed->executed_global};
  wi_follow_bodies_place(&b.follow, b.node_local, b.node_local + own_i32_count(&b),
                         b.self_local + counts_in_local(&b));
  begin_slots(&b);
  uint32_t unlikely = edit_body(&b, code);
  *result = (wi_body_plan){has_node_local(&b) || b.is_leaf, b.entry_labels, unlikely};
  return !edits->bytes.failed || wi_error_memory(error);
}
