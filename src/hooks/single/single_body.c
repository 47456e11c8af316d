/* Edits each instruction that uses a memory, and keeps its operands in added locals. */
#include "hooks/single/single_body.h"

#include "code/accesses.h"
#include "hooks/single/known.h"
#include "hooks/single/single_code.h"
#include "rewrite/body_parts.h"
#include "rewrite/opcodes.h"

enum { PROGRAM_MEMORY, OWN_MEMORY };

/* Types of added locals, in this order. */
static const uint8_t local_types[] = {TYPE_I32, TYPE_I64, TYPE_F32, TYPE_F64, TYPE_V128};
enum { TYPE_COUNT = sizeof local_types };

/* Numbers of locals of each type. */
typedef struct type_counts {
  uint32_t of[TYPE_COUNT];
} type_counts;

/* Operands of an instruction that are kept in locals, lowest on the stack first. */
typedef struct operands {
  uint8_t types[3];
  uint32_t count;
} operands;

/* A site's instruction. */
typedef struct instruction {
  uint32_t opcode;
  uint32_t immediates; /* offset in the input of what is edited: flags or memory indices */
  uint32_t immediates_size;
  uint32_t memory, source; /* the second one is memory.copy's */
  uint32_t flags;          /* of a memarg */
  uint64_t offset;
  wi_access access; /* of loads and stores */
  bool is_access;
} instruction;

typedef struct single_body {
  wi_single *single;
  const wi_module *module;
  wi_edits *edits;
  uint32_t first_local;
  type_counts counts;
  wi_known known;
} single_body;

static wi_buffer *bytes_of(single_body *b) {
  return &b->edits->bytes;
}

/* ---- Reading --------------------------------------------------------------------------- */

static void read_memarg(wi_cursor *cursor, instruction *in) {
  in->flags = wi_cursor_u32(cursor);
  in->memory = in->flags & MEMARG_HAS_MEMORY ? wi_cursor_u32(cursor) : 0;
  in->immediates_size = cursor->offset - in->immediates;
  in->offset = wi_cursor_unsigned(cursor, 64);
}

static instruction read_instruction(const wi_module *module, const wi_site *site) {
  wi_error ignored;
  wi_cursor cursor = wi_site_operands(module, site, &ignored);
  instruction in = {.opcode = site->value};
  in.is_access = wi_access_of(in.opcode, &in.access);
  if (in.opcode == WI_PREFIXED(PREFIX_FC, MEMORY_INIT))
    wi_cursor_u32(&cursor); /* the segment */
  in.immediates = cursor.offset;
  if (in.is_access) {
    read_memarg(&cursor, &in);
    return in;
  }
  in.memory = wi_cursor_u32(&cursor);
  if (in.opcode == WI_PREFIXED(PREFIX_FC, MEMORY_COPY))
    in.source = wi_cursor_u32(&cursor);
  in.immediates_size = cursor.offset - in.immediates;
  return in;
}

static uint8_t address_type(const wi_single *single, uint32_t memory) {
  return memory == OWN_MEMORY ? TYPE_I32 : wi_single_address_type(single);
}

static void add_operand(operands *all, uint8_t type) {
  all->types[all->count++] = type;
}

/* Bulk instructions keep their address, too: it is checked by a call. */
static operands operands_of(const wi_single *single, const instruction *in) {
  operands all = {0};
  uint8_t type = address_type(single, in->memory);
  if (in->is_access) {
    for (uint32_t i = 0; i < in->access.operand_count; i++)
      add_operand(&all, in->access.operands[i]);
    return all;
  }
  if (in->opcode == MEMORY_SIZE || in->opcode == MEMORY_GROW)
    return all;
  add_operand(&all, type);
  bool is_copy = in->opcode == WI_PREFIXED(PREFIX_FC, MEMORY_COPY);
  bool is_fill = in->opcode == WI_PREFIXED(PREFIX_FC, MEMORY_FILL);
  uint8_t source = is_copy ? address_type(single, in->source) : TYPE_I32;
  add_operand(&all, source);
  bool is_long = type == TYPE_I64 && (is_fill || source == TYPE_I64);
  add_operand(&all, is_long ? TYPE_I64 : TYPE_I32);
  return all;
}

/* ---- Locals ---------------------------------------------------------------------------- */

static uint32_t place_of(uint8_t type) {
  uint32_t place = 0;
  while (local_types[place] != type)
    place++;
  return place;
}

/* The local of the operand at `index`; for the number of operands, the address's. */
static uint32_t local_of(const single_body *b, const operands *all, uint32_t index) {
  uint8_t type = index < all->count ? all->types[index] : wi_single_address_type(b->single);
  uint32_t place = place_of(type);
  uint32_t local = b->first_local;
  for (uint32_t i = 0; i < place; i++)
    local += b->counts.of[i];
  for (uint32_t i = 0; i < index; i++)
    local += all->types[i] == type;
  return local;
}

static void count_locals(single_body *b, const instruction *in) {
  type_counts counts = {0};
  operands all = operands_of(b->single, in);
  for (uint32_t i = 0; i < all.count; i++)
    counts.of[place_of(all.types[i])]++;
  if (in->is_access && in->memory == PROGRAM_MEMORY)
    counts.of[place_of(wi_single_address_type(b->single))]++;
  for (uint32_t i = 0; i < TYPE_COUNT; i++)
    if (counts.of[i] > b->counts.of[i])
      b->counts.of[i] = counts.of[i];
}

static uint32_t group_count(const single_body *b) {
  uint32_t count = 0;
  for (uint32_t i = 0; i < TYPE_COUNT; i++)
    count += b->counts.of[i] > 0;
  return count;
}

static void keep_operands(single_body *b, const operands *all) {
  for (uint32_t i = all->count; i-- > 0;)
    wi_put_index(bytes_of(b), LOCAL_SET, local_of(b, all, i));
}

static void put_operand(single_body *b, const operands *all, uint32_t index) {
  wi_put_index(bytes_of(b), LOCAL_GET, local_of(b, all, index));
}

/* As put_operand, for one that may have 32 bits where the memory has 64. */
static void put_long_operand(single_body *b, const operands *all, uint32_t index) {
  put_operand(b, all, index);
  if (b->single->is_64 && all->types[index] == TYPE_I32)
    wi_buffer_u8(bytes_of(b), I64_EXTEND_I32_U);
}

/* ---- Edits ----------------------------------------------------------------------------- */

/* The memarg without a memory index. */
static void edit_memarg(single_body *b, const instruction *in) {
  if (!(in->flags & MEMARG_HAS_MEMORY))
    return;
  wi_edits_begin(b->edits, in->immediates, in->immediates_size);
  wi_buffer_u32(bytes_of(b), in->flags & ~(uint32_t)MEMARG_HAS_MEMORY);
  wi_edits_end(b->edits);
}

/* Whether the access is known to be inside; if not, the next one through the same local is. */
static bool is_known(single_body *b, const instruction *in) {
  uint32_t local = wi_known_address(&b->known, in->access.operand_count);
  uint64_t behind = in->offset + in->access.size;
  if (in->memory == OWN_MEMORY || local == WI_NO_LOCAL || behind < in->offset)
    return false;
  bool is_inside = wi_known_has(&b->known, local, behind);
  if (!is_inside)
    wi_known_add(&b->known, local, behind);
  return is_inside;
}

static void note_branch(single_body *b, const wi_site *site) {
  uint32_t *added = WI_ARRAY_PUSH(b->single, branches);
  if (added)
    *added = site->offset;
  else
    b->edits->bytes.failed = true;
}

static void put_checked(single_body *b, const wi_site *site, const instruction *in,
                        uint32_t local) {
  bool is_atomic = in->opcode >= WI_PREFIXED(PREFIX_FE, 0);
  if (wi_single_branches(b->single, in->offset, in->access.size, is_atomic))
    note_branch(b, site);
  wi_single_put_checked_address(b->single, in->offset, in->access.size, is_atomic, local,
                                bytes_of(b));
}

static void edit_access(single_body *b, const wi_site *site, const instruction *in) {
  operands all = operands_of(b->single, in);
  if (!is_known(b, in)) {
    wi_edits_begin(b->edits, site->offset, 0);
    keep_operands(b, &all);
    if (in->memory == OWN_MEMORY)
      wi_single_put_own_address(b->single, bytes_of(b));
    else
      put_checked(b, site, in, local_of(b, &all, all.count));
    for (uint32_t i = 0; i < all.count; i++)
      put_operand(b, &all, i);
    wi_edits_end(b->edits);
  }
  edit_memarg(b, in);
}

/* Pushes an address of a bulk instruction, after a check that the program has the bytes. */
static void put_bulk_address(single_body *b, const operands *all, uint32_t index, uint32_t memory) {
  enum { SIZE = 2 };
  if (memory == OWN_MEMORY) {
    put_operand(b, all, index);
    wi_single_put_own_address(b->single, bytes_of(b));
    return;
  }
  put_operand(b, all, index);
  put_long_operand(b, all, SIZE);
  wi_put_index(bytes_of(b), CALL, b->single->first_function + WI_SINGLE_CHECK);
  put_operand(b, all, index);
}

static void edit_bulk(single_body *b, const wi_site *site, const instruction *in) {
  enum { ADDRESS, SOURCE, SIZE };
  operands all = operands_of(b->single, in);
  bool is_copy = in->opcode == WI_PREFIXED(PREFIX_FC, MEMORY_COPY);
  bool is_init = in->opcode == WI_PREFIXED(PREFIX_FC, MEMORY_INIT);
  wi_edits_begin(b->edits, site->offset, 0);
  keep_operands(b, &all);
  put_bulk_address(b, &all, ADDRESS, in->memory);
  if (is_copy)
    put_bulk_address(b, &all, SOURCE, in->source);
  else
    put_operand(b, &all, SOURCE);
  if (is_init)
    put_operand(b, &all, SIZE);
  else
    put_long_operand(b, &all, SIZE);
  wi_edits_end(b->edits);
  wi_edits_begin(b->edits, in->immediates, in->immediates_size);
  wi_buffer_u32(bytes_of(b), 0);
  if (is_copy)
    wi_buffer_u32(bytes_of(b), 0);
  wi_edits_end(b->edits);
}

static void edit_size(single_body *b, const wi_site *site, const instruction *in) {
  wi_edits_begin(b->edits, site->offset, site->size);
  if (in->opcode == MEMORY_GROW)
    wi_put_index(bytes_of(b), CALL,
                 b->single->first_function +
                     (in->memory == OWN_MEMORY ? WI_SINGLE_GROW_OWN : WI_SINGLE_GROW));
  else if (in->memory == OWN_MEMORY)
    wi_put_index(bytes_of(b), GLOBAL_GET, b->single->own_pages);
  else
    wi_single_put_size(b->single, bytes_of(b));
  wi_edits_end(b->edits);
}

static void edit_site(single_body *b, const wi_site *site) {
  instruction in = read_instruction(b->module, site);
  if (in.is_access)
    edit_access(b, site, &in);
  else if (in.opcode == MEMORY_SIZE || in.opcode == MEMORY_GROW)
    edit_size(b, site, &in);
  else
    edit_bulk(b, site, &in);
}

static void edit_locals(single_body *b, const wi_plan *plan, const wi_scan *scan, wi_span code) {
  if (group_count(b) == 0)
    return;
  wi_body_edit_local_count(plan, code, group_count(b), b->edits);
  wi_edits_begin(b->edits, scan->code_offset, 0);
  for (uint32_t i = 0; i < TYPE_COUNT; i++)
    wi_body_put_local_group(bytes_of(b), b->counts.of[i], local_types[i]);
  wi_edits_end(b->edits);
}

/* Fails if a limit that all engines share is exceeded. */
static bool check_limits(const single_body *b, const wi_scan *scan, wi_span code, uint32_t function,
                         wi_error *error) {
  uint64_t locals = (uint64_t)b->first_local + TYPE_COUNT * 3u;
  if (locals <= WI_LIMIT_LOCAL_COUNT &&
      (int64_t)code.size + wi_edits_growth(b->edits) <= WI_LIMIT_BODY_SIZE)
    return true;
  return wi_error_set(error, WI_ERROR_LIMIT, scan->code_offset, function,
                      "with the checks of --single-memory, the function exceeds an engine limit");
}

bool wi_single_body(const wi_plan *plan, const wi_scan *scan, uint32_t index, wi_edits *edits,
                    wi_body_plan *result, wi_error *error) {
  const wi_module *module = plan->module;
  uint32_t function = module->imports_count + index;
  const wi_type *type = wi_module_function_type(module, function);
  single_body b = {.single = plan->single, .module = module, .edits = edits};
  wi_edits_reset(edits);
  plan->single->branches_count = 0;
  *result = (wi_body_plan){0};
  b.first_local = (type ? type->param_count : 0) + scan->local_count;
  for (uint32_t i = 0; i < scan->sites_count; i++)
    if (scan->sites[i].kind == WI_SITE_OPCODE) {
      instruction in = read_instruction(module, &scan->sites[i]);
      count_locals(&b, &in);
    }
  edit_locals(&b, plan, scan, module->bodies[index]);
  uint32_t passed = scan->code_offset;
  for (uint32_t i = 0; i < scan->sites_count; i++) {
    const wi_site *site = &scan->sites[i];
    if (site->kind == WI_SITE_INSTRUCTION) {
      if (passed < site->offset)
        wi_known_pass(&b.known, module->bytes + passed);
      passed = site->offset;
    } else if (site->kind == WI_SITE_OPCODE) {
      edit_site(&b, site);
    }
  }
  if (edits->bytes.failed)
    return wi_error_memory(error);
  return check_limits(&b, scan, module->bodies[index], function, error);
}
