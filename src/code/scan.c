#include "code/scan.h"

#include <stdio.h>
#include <stdlib.h>

#include "code/scan_internal.h"
#include "module/value_types.h"

/* How to read past an instruction, and what it means for control flow. */
enum wi_shape {
  SHAPE_UNKNOWN,
  SHAPE_PLAIN,
  SHAPE_UNREACHABLE,
  SHAPE_U32,
  SHAPE_GLOBAL,
  SHAPE_MEMORY,
  SHAPE_U32_U32,
  SHAPE_S32,
  SHAPE_S64,
  SHAPE_BYTES_1,
  SHAPE_BYTES_4,
  SHAPE_BYTES_8,
  SHAPE_BYTES_16,
  SHAPE_MEMARG,
  SHAPE_MEMARG_LANE,
  SHAPE_ATOMIC,
  SHAPE_HEAP_TYPE,
  SHAPE_VALUE_TYPES,
  SHAPE_PREFIX,
  SHAPE_REF_FUNC,
  SHAPE_CALL,
  SHAPE_CALL_INDIRECT,
  SHAPE_CALL_REF,
  SHAPE_THROW,
  SHAPE_THROW_REF,
  SHAPE_BLOCK,
  SHAPE_LOOP,
  SHAPE_IF,
  SHAPE_ELSE,
  SHAPE_TRY,
  SHAPE_CATCH,
  SHAPE_CATCH_ALL,
  SHAPE_DELEGATE,
  SHAPE_TRY_TABLE,
  SHAPE_END,
  SHAPE_BR,
  SHAPE_BR_CONDITIONAL,
  SHAPE_BR_TABLE,
  SHAPE_BR_ON_CAST,
  SHAPE_RETURN,
  SHAPE_RETURN_CALL,
  SHAPE_RETURN_CALL_INDIRECT,
  SHAPE_RETURN_CALL_REF
};

/* Rows of the table: codes without a prefix, and behind each prefix byte. */
enum { PREFIX_NONE, PREFIX_FB, PREFIX_FC, PREFIX_FD, PREFIX_FE, PREFIX_COUNT };
enum { CODE_COUNT = 0x114 };

static const uint8_t shapes[PREFIX_COUNT][CODE_COUNT] = {
    [PREFIX_NONE][0xfb ... 0xfe] = SHAPE_PREFIX,
#define WI_OPCODES(prefix, first, last, shape) [PREFIX_##prefix][first... last] = SHAPE_##shape,
#include "code/opcodes.def"
};

static const struct {
  uint16_t first, last;
  uint8_t prefix;
  const char *proposal;
} proposed[] = {
#define WI_PROPOSED(prefix, first, last, proposal) {first, last, PREFIX_##prefix, proposal},
#include "code/opcodes.def"
};

enum { OPCODE_LOOP = 0x03, OPCODE_IF = 0x04, OPCODE_TRY = 0x06 };

void wi_scan_clear(wi_scan *scan) {
  free(scan->sites);
  free(scan->labels);
  *scan = (wi_scan){0};
}

void wi_scan_reset(wi_scan *scan) {
  scan->sites_count = 0;
  scan->labels_count = 0;
  scan->code_offset = scan->end_offset = 0;
  scan->local_count = scan->instruction_count = scan->counted = scan->structured_count =
      scan->call_count = scan->run_count = 0;
  scan->conditional_exit = scan->catch_to_function = scan->catches = false;
}

void wi_scan_add_site(wi_scan *scan, wi_cursor *cursor, wi_site site) {
  wi_site *item = WI_ARRAY_PUSH(scan, sites);
  if (item)
    *item = site;
  else
    wi_cursor_fail_memory(cursor);
}

/* ---- Runs ---------------------------------------------------------------- */

/*
 * A run is a stretch of instructions that are executed all or none. It ends before an instruction
 * that may go elsewhere, and before a place that is reached from elsewhere; instructions that
 * are counted but not yet part of a run belong to the one that ends at `offset`.
 */
static void end_run(wi_scan *scan, wi_cursor *cursor, uint32_t offset) {
  uint32_t count = scan->instruction_count - scan->counted;
  scan->counted = scan->instruction_count;
  scan->run_count += count > 0;
  if (scan->count_runs && count > 0)
    wi_scan_add_site(scan, cursor,
                     (wi_site){.offset = offset, .value = count, .kind = WI_SITE_RUN});
}

/* ---- Labels ------------------------------------------------------------- */

static void push_label(wi_scan *scan, wi_cursor *cursor, uint8_t opcode) {
  ++scan->structured_count;
  wi_label *label = WI_ARRAY_PUSH(scan, labels);
  if (!label) {
    wi_cursor_fail_memory(cursor);
    return;
  }
  *label = (wi_label){.opcode = opcode, .site = scan->sites_count};
  /* Whether a loop's start is a landing shows only inside it, when later sites exist. */
  if (opcode == OPCODE_LOOP)
    wi_scan_add_site(scan, cursor, (wi_site){.offset = cursor->offset, .kind = WI_SITE_NONE});
}

/* Closes the innermost structured instruction; the cursor stands behind its end. */
static void pop_label(wi_scan *scan, wi_cursor *cursor) {
  wi_label label = scan->labels[--scan->labels_count];
  if (label.landing)
    wi_scan_add_site(scan, cursor, (wi_site){.offset = cursor->offset, .kind = WI_SITE_LANDING});
}

/* Closes the innermost structured instruction, whose end is at `start`. */
static void scan_end(wi_scan *scan, wi_cursor *cursor, uint32_t start) {
  const wi_label *label = &scan->labels[scan->labels_count - 1];
  /* The two arms of an if meet at its end, as do a try's body and its handlers. */
  if (label->target || label->opcode == OPCODE_IF || label->opcode == OPCODE_TRY)
    end_run(scan, cursor, start);
  pop_label(scan, cursor);
}

static wi_label *innermost(wi_scan *scan) {
  return scan->labels_count ? &scan->labels[scan->labels_count - 1] : NULL;
}

/* Reads a label; true where it is the function's. */
static bool read_label(const wi_scan *scan, wi_cursor *cursor, uint32_t *label) {
  uint32_t start = cursor->offset;
  *label = wi_cursor_u32(cursor);
  if (*label > scan->labels_count)
    wi_cursor_fail(cursor, WI_ERROR_MALFORMED, start, "label %u is out of range", *label);
  else if (*label < scan->labels_count)
    scan->labels[scan->labels_count - 1 - *label].target = true;
  return !cursor->failed && *label == scan->labels_count;
}

static void mark_landing(wi_scan *scan, uint32_t label) {
  wi_label *target = &scan->labels[scan->labels_count - 1 - label];
  if (target->opcode == OPCODE_LOOP)
    scan->sites[target->site].kind = WI_SITE_LANDING;
  else
    target->landing = true;
}

static void scan_catch_clause(wi_scan *scan, wi_cursor *cursor) {
  enum { CATCH = 0, CATCH_REF = 1, CATCH_ALL_REF = 3 };
  uint32_t start = cursor->offset;
  uint8_t kind = wi_cursor_u8(cursor);
  if (kind > CATCH_ALL_REF)
    wi_cursor_fail(cursor, WI_ERROR_MALFORMED, start, "malformed catch clause 0x%02x", kind);
  if (kind == CATCH || kind == CATCH_REF)
    wi_cursor_u32(cursor);
  uint32_t label;
  if (read_label(scan, cursor, &label))
    scan->conditional_exit = scan->catch_to_function = true;
  else if (!cursor->failed)
    mark_landing(scan, label);
}

static void scan_try_table(wi_scan *scan, wi_cursor *cursor, uint8_t opcode) {
  scan->catches = true;
  wi_skip_block_type(cursor);
  /* The clauses' labels count from outside the try_table, so it is pushed after them. */
  for (uint32_t n = wi_cursor_count(cursor, 2, "catch clauses"); n > 0 && !cursor->failed; --n)
    scan_catch_clause(scan, cursor);
  if (!cursor->failed)
    push_label(scan, cursor, opcode);
}

static void scan_catch(wi_scan *scan, wi_cursor *cursor, uint32_t start, bool has_tag) {
  end_run(scan, cursor, start);
  const wi_label *label = innermost(scan);
  if (!label || label->opcode != OPCODE_TRY) {
    wi_cursor_fail(cursor, WI_ERROR_MALFORMED, start, "catch outside of a try");
    return;
  }
  if (has_tag)
    wi_cursor_u32(cursor);
  wi_scan_add_site(scan, cursor, (wi_site){.offset = cursor->offset, .kind = WI_SITE_LANDING});
}

static void scan_delegate(wi_scan *scan, wi_cursor *cursor, uint32_t start) {
  end_run(scan, cursor, start);
  const wi_label *label = innermost(scan);
  if (!label || label->opcode != OPCODE_TRY) {
    wi_cursor_fail(cursor, WI_ERROR_MALFORMED, start, "delegate outside of a try");
    return;
  }
  wi_cursor_u32(cursor);
  pop_label(scan, cursor);
}

static void scan_else(wi_scan *scan, wi_cursor *cursor, uint32_t start) {
  end_run(scan, cursor, start);
  const wi_label *label = innermost(scan);
  if (!label || label->opcode != OPCODE_IF)
    wi_cursor_fail(cursor, WI_ERROR_MALFORMED, start, "else outside of an if");
}

/* ---- Branches and calls ------------------------------------------------- */

static void scan_br_if(wi_scan *scan, wi_cursor *cursor, uint32_t start) {
  uint32_t label;
  end_run(scan, cursor, start);
  if (read_label(scan, cursor, &label))
    scan->conditional_exit = true;
}

static void scan_br_table(wi_scan *scan, wi_cursor *cursor, uint32_t start) {
  end_run(scan, cursor, start);
  uint32_t count = wi_cursor_count(cursor, 1, "labels");
  for (uint32_t i = 0; i <= count && !cursor->failed; ++i) {
    uint32_t label;
    if (read_label(scan, cursor, &label))
      scan->conditional_exit = true;
  }
}

static void scan_br_on_cast(wi_scan *scan, wi_cursor *cursor, uint32_t instruction) {
  end_run(scan, cursor, instruction);
  uint32_t start = cursor->offset;
  uint8_t flags = wi_cursor_u8(cursor);
  if (flags > 3)
    wi_cursor_fail(cursor, WI_ERROR_MALFORMED, start, "malformed cast flags 0x%02x", flags);
  uint32_t label;
  if (read_label(scan, cursor, &label))
    scan->conditional_exit = true;
  wi_skip_heap_type(cursor);
  wi_skip_heap_type(cursor);
}

static uint32_t scan_index(wi_scan *scan, const wi_module *module, wi_cursor *cursor,
                           wi_site_kind kind) {
  uint32_t start = cursor->offset;
  uint32_t index = wi_cursor_u32(cursor);
  if (cursor->failed)
    return index;
  if (index >= wi_module_function_count(module)) {
    wi_cursor_fail(cursor, WI_ERROR_MALFORMED, start, "function index %u is out of range", index);
    return index;
  }
  wi_scan_add_site(scan, cursor,
                   (wi_site){.offset = start,
                             .value = index,
                             .kind = (uint8_t)kind,
                             .size = (uint8_t)(cursor->offset - start)});
  return index;
}

uint32_t wi_scan_function_index(wi_scan *scan, const wi_module *module, wi_cursor *cursor) {
  return scan_index(scan, module, cursor, WI_SITE_FUNCTION_INDEX);
}

/* Records a place before or after a call, where that is asked for; returns the site's number. */
static uint32_t note_call(wi_scan *scan, wi_cursor *cursor, wi_site_kind kind, uint32_t offset) {
  if (scan->record_calls)
    wi_scan_add_site(scan, cursor,
                     (wi_site){.offset = offset, .value = WI_NO_FUNCTION, .kind = (uint8_t)kind});
  return scan->sites_count - 1;
}

static void scan_call(wi_scan *scan, const wi_module *module, wi_cursor *cursor, uint32_t start) {
  ++scan->call_count;
  end_run(scan, cursor, start);
  uint32_t site = scan->sites_count;
  note_call(scan, cursor, WI_SITE_BEFORE_CALL, start);
  uint32_t index = wi_scan_function_index(scan, module, cursor);
  if (cursor->failed)
    return;
  if (scan->record_calls)
    scan->sites[site].value = index;
  note_call(scan, cursor, WI_SITE_AFTER_CALL, cursor->offset);
  if (index >= module->imports_count)
    return;
  /* One site says all there is to say of an import: its index never changes. */
  scan->sites_count = site + 1;
  scan->sites[site] = (wi_site){.offset = start,
                                .value = index,
                                .kind = WI_SITE_IMPORT_CALL,
                                .size = (uint8_t)(cursor->offset - start)};
}

static void scan_call_by_value(wi_scan *scan, wi_cursor *cursor, uint32_t start,
                               unsigned immediate_count) {
  ++scan->call_count;
  end_run(scan, cursor, start);
  note_call(scan, cursor, WI_SITE_BEFORE_CALL, start);
  while (immediate_count-- > 0)
    wi_cursor_u32(cursor);
  note_call(scan, cursor, WI_SITE_AFTER_CALL, cursor->offset);
}

/* Nothing follows it: what ran up to it is counted by itself. */
static void scan_unreachable(wi_scan *scan, wi_cursor *cursor, uint32_t start) {
  end_run(scan, cursor, start);
  if (scan->record_calls)
    wi_scan_add_site(scan, cursor, (wi_site){.offset = start, .kind = WI_SITE_UNREACHABLE});
}

static void scan_throw(wi_scan *scan, wi_cursor *cursor, uint32_t start) {
  end_run(scan, cursor, start);
  if (scan->count_runs)
    wi_scan_add_site(scan, cursor, (wi_site){.offset = start, .kind = WI_SITE_THROW});
}

static uint32_t add_tail_call(wi_scan *scan, wi_cursor *cursor, uint32_t start) {
  ++scan->call_count;
  end_run(scan, cursor, start);
  wi_scan_add_site(scan, cursor,
                   (wi_site){.offset = start, .value = WI_NO_FUNCTION, .kind = WI_SITE_TAIL_CALL});
  return scan->sites_count - 1;
}

static void scan_return_call(wi_scan *scan, const wi_module *module, wi_cursor *cursor,
                             uint32_t start) {
  uint32_t site = add_tail_call(scan, cursor, start);
  uint32_t index = wi_scan_function_index(scan, module, cursor);
  if (!cursor->failed)
    scan->sites[site].value = index;
}

static void scan_br(wi_scan *scan, wi_cursor *cursor, uint32_t start) {
  end_run(scan, cursor, start);
  uint32_t label;
  if (read_label(scan, cursor, &label))
    wi_scan_add_site(scan, cursor, (wi_site){.offset = start, .kind = WI_SITE_BRANCH_OUT});
}

/* ---- Instructions ------------------------------------------------------- */

/* Reads an immediate, which becomes a site of that kind where memories are recorded. */
static void scan_immediate(wi_scan *scan, wi_cursor *cursor, wi_site_kind kind) {
  uint32_t start = cursor->offset;
  uint32_t value = wi_cursor_u32(cursor);
  if (scan->record_memory && !cursor->failed)
    wi_scan_add_site(scan, cursor,
                     (wi_site){.offset = start,
                               .value = value,
                               .kind = (uint8_t)kind,
                               .size = (uint8_t)(cursor->offset - start)});
}

static void skip_memarg(wi_cursor *cursor) {
  enum { HAS_MEMORY_INDEX = 0x40, FLAGS_END = 0x80 };
  uint32_t start = cursor->offset;
  uint32_t flags = wi_cursor_u32(cursor);
  if (flags >= FLAGS_END)
    wi_cursor_fail(cursor, WI_ERROR_MALFORMED, start, "malformed memory operation flags 0x%x",
                   flags);
  if (flags & HAS_MEMORY_INDEX)
    wi_cursor_u32(cursor);
  if (wi_cursor_peek(cursor) < 0x80)
    wi_cursor_u8(cursor);
  else
    wi_cursor_unsigned(cursor, 64);
}

static void scan_memarg(wi_scan *scan, wi_cursor *cursor) {
  if (scan->record_memory)
    wi_scan_add_site(scan, cursor,
                     (wi_site){.offset = cursor->offset,
                               .value = wi_cursor_peek(cursor),
                               .kind = WI_SITE_MEMARG,
                               .size = 1});
  skip_memarg(cursor);
}

static void skip_atomic(wi_cursor *cursor) {
  enum { HAS_ORDER = 0x10 };
  if (wi_cursor_peek(cursor) & HAS_ORDER)
    wi_cursor_fail(cursor, WI_ERROR_UNSUPPORTED, cursor->offset,
                   "memory orders (shared-everything threads) are not supported");
  skip_memarg(cursor);
}

static void skip_signed(wi_cursor *cursor, unsigned bits) {
  if (cursor->offset < cursor->end && cursor->bytes[cursor->offset] < 0x80)
    ++cursor->offset;
  else
    wi_cursor_signed(cursor, bits);
}

static void skip_value_types(wi_cursor *cursor) {
  for (uint32_t n = wi_cursor_count(cursor, 1, "value types"); n > 0 && !cursor->failed; --n)
    wi_skip_value_type(cursor);
}

static void scan_block(wi_scan *scan, wi_cursor *cursor, uint32_t start, uint8_t opcode) {
  if (opcode == OPCODE_LOOP || opcode == OPCODE_IF)
    end_run(scan, cursor, start);
  scan->catches |= opcode == OPCODE_TRY;
  wi_skip_block_type(cursor);
  push_label(scan, cursor, opcode);
}

static void __attribute__((cold, noinline))
refuse_opcode(wi_cursor *cursor, uint32_t start, unsigned prefix, uint32_t code) {
  char text[24];
  if (prefix == PREFIX_NONE)
    snprintf(text, sizeof text, "0x%02x", (unsigned)code);
  else
    snprintf(text, sizeof text, "0x%02x 0x%02x", prefix - PREFIX_FB + 0xfbu, (unsigned)code);
  for (size_t i = 0; i < sizeof proposed / sizeof *proposed; ++i)
    if (proposed[i].prefix == prefix && code >= proposed[i].first && code <= proposed[i].last) {
      wi_cursor_fail(cursor, WI_ERROR_UNSUPPORTED, start, "opcode %s (%s) is not supported", text,
                     proposed[i].proposal);
      return;
    }
  wi_cursor_fail(cursor, WI_ERROR_UNSUPPORTED, start, "unknown opcode %s", text);
}

/* The shape of the instruction at the cursor, which moves behind the opcode. */
static inline uint8_t read_opcode(wi_cursor *cursor, uint8_t *opcode) {
  uint32_t start = cursor->offset;
  *opcode = wi_cursor_u8(cursor);
  uint8_t shape = shapes[PREFIX_NONE][*opcode];
  if (shape != SHAPE_PREFIX && shape != SHAPE_UNKNOWN)
    return shape;
  unsigned prefix = PREFIX_NONE;
  uint32_t code = *opcode;
  if (shape == SHAPE_PREFIX) {
    prefix = PREFIX_FB + (*opcode - 0xfbu);
    code = wi_cursor_u32(cursor);
    shape = code < CODE_COUNT ? shapes[prefix][code] : SHAPE_UNKNOWN;
  }
  if (shape == SHAPE_UNKNOWN && !cursor->failed)
    refuse_opcode(cursor, start, prefix, code);
  return shape;
}

/*
 * Instructions that record nothing and whose immediates are all single bytes: nearly everything
 * that is executed. `more` has the bits set that immediates may not have for that.
 */
typedef struct short_form {
  uint32_t more; /* of the four bytes that begin with the opcode, little endian */
  uint32_t size; /* 0: not a short form */
} short_form;

static const short_form short_forms[256] = {
    [0x01] = {0x00000000, 1},          /* nop */
    [0x1a ... 0x1b] = {0x00000000, 1}, /* drop, select */
    [0x20 ... 0x26] = {0x00008000, 2}, /* variables and tables */
    [0x28 ... 0x3e] = {0x0080c000, 3}, /* loads and stores without a memory index */
    [0x41 ... 0x42] = {0x00008000, 2}, /* integer constants */
    [0x45 ... 0xc4] = {0x00000000, 1}, /* numeric */
};

/* Moves over a run of such instructions; where it stops, scanning goes on in full. */
static inline void skip_short_forms(wi_scan *scan, wi_cursor *cursor) {
  const uint8_t *start = cursor->bytes + cursor->offset;
  const uint8_t *end = cursor->bytes + cursor->end;
  const uint8_t *at = start;
  uint32_t count = 0;
  while (end - at >= 4) {
    short_form form = short_forms[*at];
    uint32_t word = at[0] | (uint32_t)at[1] << 8 | (uint32_t)at[2] << 16 | (uint32_t)at[3] << 24;
    if (form.size == 0 || (word & form.more))
      break;
    at += form.size;
    ++count;
  }
  scan->instruction_count += count;
  cursor->offset += (uint32_t)(at - start);
}

/*
 * Scans instructions up to the end that closes the expression. The cursor's part may go on behind
 * it.
 */
bool wi_scan_expression(wi_scan *scan, const wi_module *module, wi_cursor *cursor) {
  scan->code_offset = cursor->offset;
  while (!cursor->failed) {
    if (!scan->record_memory)
      skip_short_forms(scan, cursor);
    uint32_t start = cursor->offset;
    uint8_t opcode;
    uint8_t shape = read_opcode(cursor, &opcode);
    ++scan->instruction_count;
    switch (shape) {
    case SHAPE_UNKNOWN: return false;
    case SHAPE_PLAIN: break;
    case SHAPE_UNREACHABLE: scan_unreachable(scan, cursor, start); break;
    case SHAPE_U32: wi_cursor_u32(cursor); break;
    case SHAPE_GLOBAL: scan_immediate(scan, cursor, WI_SITE_GLOBAL_INDEX); break;
    case SHAPE_MEMORY: scan_immediate(scan, cursor, WI_SITE_MEMORY_INDEX); break;
    case SHAPE_U32_U32:
      wi_cursor_u32(cursor);
      wi_cursor_u32(cursor);
      break;
    case SHAPE_S32: skip_signed(cursor, 32); break;
    case SHAPE_S64: skip_signed(cursor, 64); break;
    case SHAPE_BYTES_1: wi_cursor_skip(cursor, 1); break;
    case SHAPE_BYTES_4: wi_cursor_skip(cursor, 4); break;
    case SHAPE_BYTES_8: wi_cursor_skip(cursor, 8); break;
    case SHAPE_BYTES_16: wi_cursor_skip(cursor, 16); break;
    case SHAPE_MEMARG: scan_memarg(scan, cursor); break;
    case SHAPE_MEMARG_LANE:
      skip_memarg(cursor);
      wi_cursor_skip(cursor, 1);
      break;
    case SHAPE_ATOMIC: skip_atomic(cursor); break;
    case SHAPE_HEAP_TYPE: wi_skip_heap_type(cursor); break;
    case SHAPE_VALUE_TYPES: skip_value_types(cursor); break;
    case SHAPE_REF_FUNC: scan_index(scan, module, cursor, WI_SITE_REFERENCE); break;
    case SHAPE_CALL: scan_call(scan, module, cursor, start); break;
    case SHAPE_CALL_INDIRECT: scan_call_by_value(scan, cursor, start, 2); break;
    case SHAPE_CALL_REF: scan_call_by_value(scan, cursor, start, 1); break;
    case SHAPE_THROW:
      scan_throw(scan, cursor, start);
      wi_cursor_u32(cursor);
      break;
    case SHAPE_THROW_REF: scan_throw(scan, cursor, start); break;
    case SHAPE_BLOCK:
    case SHAPE_LOOP:
    case SHAPE_IF:
    case SHAPE_TRY: scan_block(scan, cursor, start, opcode); break;
    case SHAPE_TRY_TABLE: scan_try_table(scan, cursor, opcode); break;
    case SHAPE_ELSE:
      --scan->instruction_count;
      scan_else(scan, cursor, start);
      break;
    case SHAPE_CATCH:
    case SHAPE_CATCH_ALL:
      --scan->instruction_count;
      scan_catch(scan, cursor, start, shape == SHAPE_CATCH);
      break;
    case SHAPE_DELEGATE:
      --scan->instruction_count;
      scan_delegate(scan, cursor, start);
      break;
    case SHAPE_END:
      --scan->instruction_count;
      if (scan->labels_count == 0) {
        end_run(scan, cursor, start);
        scan->end_offset = start;
        return !cursor->failed;
      }
      scan_end(scan, cursor, start);
      break;
    case SHAPE_BR: scan_br(scan, cursor, start); break;
    case SHAPE_BR_CONDITIONAL: scan_br_if(scan, cursor, start); break;
    case SHAPE_BR_TABLE: scan_br_table(scan, cursor, start); break;
    case SHAPE_BR_ON_CAST: scan_br_on_cast(scan, cursor, start); break;
    case SHAPE_RETURN:
      end_run(scan, cursor, start);
      wi_scan_add_site(scan, cursor, (wi_site){.offset = start, .kind = WI_SITE_RETURN});
      break;
    case SHAPE_RETURN_CALL: scan_return_call(scan, module, cursor, start); break;
    case SHAPE_RETURN_CALL_INDIRECT:
      add_tail_call(scan, cursor, start);
      wi_cursor_u32(cursor);
      wi_cursor_u32(cursor);
      break;
    case SHAPE_RETURN_CALL_REF:
      add_tail_call(scan, cursor, start);
      wi_cursor_u32(cursor);
      break;
    }
  }
  return false;
}

/* ---- Bodies ------------------------------------------------------------- */

static void scan_locals(wi_scan *scan, wi_cursor *cursor) {
  uint32_t start = cursor->offset;
  uint64_t total = 0;
  for (uint32_t n = wi_cursor_count(cursor, 2, "local groups"); n > 0 && !cursor->failed; --n) {
    total += wi_cursor_u32(cursor);
    wi_skip_value_type(cursor);
  }
  /* Engines refuse far fewer; more would also overflow the index of the local we add. */
  if (total > WI_LIMIT_LOCAL_COUNT)
    wi_cursor_fail(cursor, WI_ERROR_LIMIT, start, "more than %u locals", WI_LIMIT_LOCAL_COUNT);
  scan->local_count = (uint32_t)total;
}

bool wi_scan_body(wi_scan *scan, const wi_module *module, uint32_t index, wi_error *error) {
  wi_span body = module->bodies[index];
  wi_cursor cursor = wi_cursor_at(module->bytes, body, error);
  cursor.function = module->imports_count + index;
  wi_scan_reset(scan);
  if (body.size > WI_LIMIT_BODY_SIZE)
    return wi_cursor_fail(&cursor, WI_ERROR_LIMIT, body.offset,
                          "a body of %u bytes is over the engines' limit of %u", body.size,
                          WI_LIMIT_BODY_SIZE);
  scan_locals(scan, &cursor);
  if (cursor.failed || !wi_scan_expression(scan, module, &cursor))
    return false;
  if (cursor.offset != cursor.end)
    return wi_cursor_fail(&cursor, WI_ERROR_MALFORMED, cursor.offset,
                          "%u bytes behind the end of the body", wi_cursor_left(&cursor));
  return true;
}
