/* Scans instructions one by one: reads opcodes, skips immediates, records sites. */
#include "code/expression.h"

#include <stdio.h>

#include "code/control.h"
#include "code/opcodes.h"
#include "module/proposals.h"
#include "module/value_types.h"

/* ---- Opcodes ------------------------------------------------------------ */

static const uint8_t shapes[ROW_COUNT][CODE_COUNT] = {
    [ROW_NONE][0xfb ... 0xfe] = SHAPE_PREFIX,
#define WI_OPCODES(prefix, first, last, shape, mix, names)                                         \
  [ROW_##prefix][first... last] = SHAPE_##shape,
#include "code/opcodes.def"
};

/* ---- Instructions ------------------------------------------------------- */

/* Reads an immediate and records it as a site of that kind if indices are wanted. */
static void scan_immediate(wi_scan *scan, wi_cursor *cursor, wi_site_kind kind) {
  uint32_t start = cursor->offset;
  uint32_t value = wi_cursor_u32(cursor);
  if (scan->wants->indices && !cursor->failed)
    wi_scan_add_site(scan, cursor,
                     (wi_site){.offset = start,
                               .value = value,
                               .kind = (uint8_t)kind,
                               .size = (uint8_t)(cursor->offset - start)});
}

/* Whether it reads, writes or measures a memory. */
static bool uses_memory(wi_instruction at) {
  return at.shape == SHAPE_MEMARG || at.shape == SHAPE_MEMARG_LANE || at.shape == SHAPE_ATOMIC ||
         at.shape == SHAPE_MEMORY || at.opcode == WI_PREFIXED(PREFIX_FC, MEMORY_INIT) ||
         at.opcode == WI_PREFIXED(PREFIX_FC, MEMORY_COPY) ||
         at.opcode == WI_PREFIXED(PREFIX_FC, MEMORY_FILL);
}

static bool is_wanted(const wi_scan *scan, wi_instruction at) {
  for (uint32_t i = 0; i < scan->wants->opcode_count; i++)
    if (scan->wants->opcodes[i] == at.opcode)
      return true;
  return scan->wants->accesses && uses_memory(at);
}

/* Records an instruction that was just read, if its opcode is wanted. */
static void note_opcode(wi_scan *scan, wi_cursor *cursor, wi_instruction at) {
  if (!is_wanted(scan, at) || cursor->failed)
    return;
  scan->opcode_count++;
  wi_scan_add_site(scan, cursor,
                   (wi_site){.offset = at.start,
                             .value = at.opcode,
                             .kind = WI_SITE_OPCODE,
                             .size = (uint8_t)(cursor->offset - at.start)});
}

typedef struct memarg {
  uint32_t memory;
  uint64_t offset;
} memarg;

static memarg read_memarg(wi_cursor *cursor, wi_proposal_place place) {
  enum { HAS_MEMORY_INDEX = 0x40, ALIGNMENT = 0x0f };
  memarg result = {0};
  uint32_t start = cursor->offset;
  uint32_t flags = wi_cursor_u32(cursor);
  uint32_t rest = flags & ~(uint32_t)HAS_MEMORY_INDEX;
  if (rest > ALIGNMENT)
    wi_proposal_fail(cursor, start, place, rest, "memory operation flags");
  if (flags & HAS_MEMORY_INDEX)
    result.memory = wi_cursor_u32(cursor);
  result.offset =
      wi_cursor_peek(cursor) < 0x80 ? wi_cursor_u8(cursor) : wi_cursor_unsigned(cursor, 64);
  return result;
}

static void scan_memarg(wi_scan *scan, wi_cursor *cursor, wi_instruction at) {
  if (scan->wants->indices)
    wi_scan_add_site(scan, cursor,
                     (wi_site){.offset = cursor->offset,
                               .value = wi_cursor_peek(cursor),
                               .kind = WI_SITE_MEMARG,
                               .size = 1});
  memarg access = read_memarg(cursor, WI_PROPOSAL_MEMORY_FLAGS);
  bool is_store = at.opcode == I32_STORE && access.memory == 0;
  bool fits =
      access.offset == scan->wants->stored_offset || (access.offset == 0 && scan->adds_offset);
  if (!scan->watches_stores || !is_store || !fits || cursor->failed)
    return;
  scan->has_store = true;
  wi_scan_add_site(scan, cursor,
                   (wi_site){.offset = at.start,
                             .value = (uint32_t)access.offset,
                             .kind = WI_SITE_STORE,
                             .size = (uint8_t)(cursor->offset - at.start)});
}

static void skip_signed(wi_cursor *cursor, unsigned bits) {
  if (cursor->offset < cursor->end && cursor->bytes[cursor->offset] < 0x80)
    cursor->offset++;
  else
    wi_cursor_signed(cursor, bits);
}

static void skip_value_types(wi_cursor *cursor) {
  for (uint32_t n = wi_cursor_count(cursor, 1, "value types"); n > 0 && !cursor->failed; n--)
    wi_skip_value_type(cursor);
}

static void __attribute__((cold, noinline))
refuse_opcode(wi_cursor *cursor, uint32_t start, unsigned prefix, uint32_t code) {
  char text[24];
  if (prefix == ROW_NONE)
    snprintf(text, sizeof text, "0x%02x", (unsigned)code);
  else
    snprintf(text, sizeof text, "0x%02x 0x%02x", prefix - ROW_FB + 0xfbu, (unsigned)code);
  const char *proposal = wi_proposal_name((wi_proposal_place)(WI_PROPOSAL_OPCODE + prefix), code);
  if (proposal)
    wi_cursor_fail(cursor, WI_ERROR_UNSUPPORTED, start, "opcode %s (%s) is not supported", text,
                   proposal);
  else
    wi_cursor_fail(cursor, WI_ERROR_UNSUPPORTED, start, "unknown opcode %s", text);
}

/* Reads the opcode at the cursor. */
static inline wi_instruction read_opcode(wi_cursor *cursor) {
  wi_instruction at = {.start = cursor->offset};
  uint8_t first = wi_cursor_u8(cursor);
  at.opcode = first;
  at.shape = (wi_shape)shapes[ROW_NONE][first];
  if (at.shape != SHAPE_PREFIX && at.shape != SHAPE_UNKNOWN)
    return at;
  unsigned prefix = ROW_NONE;
  uint32_t code = first;
  if (at.shape == SHAPE_PREFIX) {
    prefix = ROW_FB + (first - 0xfbu);
    code = wi_cursor_u32(cursor);
    at.opcode = WI_PREFIXED(first, code);
    at.shape = (wi_shape)(code < CODE_COUNT ? shapes[prefix][code] : SHAPE_UNKNOWN);
  }
  if (at.shape == SHAPE_UNKNOWN && !cursor->failed)
    refuse_opcode(cursor, at.start, prefix, code);
  return at;
}

/*
 * The short form of an instruction: all immediates are single bytes, and it has no site unless one
 * is wanted. It covers most of the instructions in a module.
 */
typedef struct short_form {
  uint32_t more; /* see shape.h */
  uint32_t size; /* in bytes, including the opcode; 0: no short form */
} short_form;

enum {
#define WI_SHAPE(name, size, more) SIZE_##name = (size), MORE_##name = (more),
  WI_PLAIN_SHAPES(WI_SHAPE) WI_CONTROL_SHAPES(WI_SHAPE)
#undef WI_SHAPE
};

static const short_form short_forms[256] = {
#define SHORT_NONE(first, last, shape) [first... last] = {MORE_##shape, SIZE_##shape},
#define SHORT_FB(first, last, shape)
#define SHORT_FC(first, last, shape)
#define SHORT_FD(first, last, shape)
#define SHORT_FE(first, last, shape)
#define WI_OPCODES(prefix, first, last, shape, mix, names) SHORT_##prefix(first, last, shape)
#include "code/opcodes.def"
};

/* Skips a run of instructions in short form; the scan in full continues after it. */
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
    count++;
  }
  scan->instruction_count += count;
  cursor->offset += (uint32_t)(at - start);
}

/* Skips an instruction's immediates, recording sites in some. */
static void scan_plain(wi_scan *scan, const wi_module *module, wi_cursor *cursor,
                       wi_instruction at) {
  switch (at.shape) {
  case SHAPE_U32_U32: wi_cursor_u32(cursor); /* fall through */
  case SHAPE_U32: wi_cursor_u32(cursor); break;
  case SHAPE_REFERENCES_U32: wi_cursor_u32(cursor); /* fall through */
  case SHAPE_REFERENCES: wi_cursor_u32(cursor), scan->reads_references = true; break;
  case SHAPE_GLOBAL: scan_immediate(scan, cursor, WI_SITE_GLOBAL_INDEX); break;
  case SHAPE_MEMORY: scan_immediate(scan, cursor, WI_SITE_MEMORY_INDEX); break;
  case SHAPE_S32: skip_signed(cursor, 32); break;
  case SHAPE_S64: skip_signed(cursor, 64); break;
  case SHAPE_BYTES_1: wi_cursor_skip(cursor, 1); break;
  case SHAPE_BYTES_4: wi_cursor_skip(cursor, 4); break;
  case SHAPE_BYTES_8: wi_cursor_skip(cursor, 8); break;
  case SHAPE_BYTES_16: wi_cursor_skip(cursor, 16); break;
  case SHAPE_MEMARG: scan_memarg(scan, cursor, at); break;
  case SHAPE_MEMARG_LANE:
    read_memarg(cursor, WI_PROPOSAL_MEMORY_FLAGS);
    wi_cursor_skip(cursor, 1);
    break;
  case SHAPE_ATOMIC: read_memarg(cursor, WI_PROPOSAL_ATOMIC_FLAGS); break;
  case SHAPE_HEAP_TYPE: wi_skip_heap_type(cursor); break;
  case SHAPE_VALUE_TYPES: skip_value_types(cursor); break;
  case SHAPE_REF_FUNC: wi_scan_index(scan, module, cursor, WI_SITE_REFERENCE); break;
  default: break;
  }
}

/*
 * Records an i32.add of the constant stored_offset. Compilers do not fold the addition into a store
 * if the sum has other uses.
 */
static void note_sum(wi_scan *scan, const wi_cursor *cursor, wi_instruction at) {
  enum { MAX_SIZE = 3 };
  uint32_t offset = scan->wants->stored_offset;
  const uint8_t *end = cursor->bytes + at.start;
  if (at.opcode != I32_ADD || at.start < scan->code_offset + MAX_SIZE)
    return;
  scan->adds_offset |=
      offset < 1 << 6
          ? end[-2] == I32_CONST && end[-1] == offset
          : end[-3] == I32_CONST && end[-2] == (0x80 | (offset & 0x7f)) && end[-1] == offset >> 7;
}

static void end_straight_code(wi_scan *scan, wi_cursor *cursor, wi_instruction at) {
  if (scan->has_store)
    wi_scan_add_site(scan, cursor, (wi_site){.offset = at.start, .kind = WI_SITE_STORED});
  scan->has_store = scan->adds_offset = false;
}

/* Whether instructions in short form may have wanted sites. */
static bool wants_short_forms(const wi_scan *scan) {
  const wi_scan_wants *wants = scan->wants;
  for (uint32_t i = 0; i < wants->opcode_count; i++)
    if (wants->opcodes[i] < 256 && short_forms[wants->opcodes[i]].size > 0)
      return true;
  return wants->indices || wants->instructions || wants->accesses || scan->watches_stores;
}

bool wi_scan_expression(wi_scan *scan, const wi_module *module, wi_cursor *cursor) {
  bool at_end = false;
  bool skips = !wants_short_forms(scan);
  scan->code_offset = cursor->offset;
  while (!at_end && !cursor->failed) {
    if (skips)
      skip_short_forms(scan, cursor);
    wi_instruction at = read_opcode(cursor);
    if (at.shape >= WI_SHAPE_FIRST_CONTROL)
      end_straight_code(scan, cursor, at);
    if (scan->wants->instructions)
      wi_scan_add_site(scan, cursor,
                       (wi_site){.offset = at.start,
                                 .value = !wi_shape_is_delimiter(at.shape),
                                 .kind = WI_SITE_INSTRUCTION});
    if (scan->watches_stores)
      note_sum(scan, cursor, at);
    if (at.shape >= WI_SHAPE_FIRST_CONTROL) {
      at_end = at.shape == SHAPE_END && scan->labels_count == 0;
      wi_scan_control(scan, module, cursor, at);
    } else {
      scan->instruction_count++;
      scan_plain(scan, module, cursor, at);
      note_opcode(scan, cursor, at);
    }
  }
  return !cursor->failed;
}
