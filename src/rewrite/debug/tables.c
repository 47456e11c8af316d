/*
 * Rewrites tables of addresses: .debug_addr and .debug_aranges, and references to line tables in
 * .debug_macro.
 */
#include "rewrite/debug/tables.h"

#include "rewrite/debug/line.h"

/* ---- .debug_addr -------------------------------------------------------- */

/* The section also contains addresses of data, so only recorded code addresses are mapped. */
void wi_debug_addr(wi_debug *d) {
  wi_dwarf_bytes in = d->in.section[WI_DWARF_ADDR];
  if (!in.data || !wi_debug_copy(d, WI_DWARF_ADDR))
    return;
  uint8_t *out = d->out[WI_DWARF_ADDR].data;
  for (uint32_t i = 0; i < d->slots_count; i++) {
    wi_debug_slot slot = d->slots[i];
    uint64_t address = wi_dwarf_get(in.data + slot.offset, slot.size);
    wi_dwarf_set(out + slot.offset, slot.size, wi_debug_address(d, address));
  }
}

/* ---- .debug_aranges ----------------------------------------------------- */

static void move_aranges(wi_debug *d, wi_cursor *in, uint8_t *out) {
  uint8_t offset_size = 4;
  uint32_t start = in->offset;
  wi_dwarf_length(in, &offset_size);
  wi_cursor_skip(in, 2u + offset_size);
  unsigned size = wi_cursor_u8(in);
  unsigned segment = wi_cursor_u8(in);
  if (!in->failed && ((size != 4 && size != 8) || segment != 0))
    wi_cursor_fail(in, WI_ERROR_UNSUPPORTED, start, "addresses of an unknown size");
  if (in->failed)
    return;
  uint32_t excess = (in->offset - start) % (2 * size);
  if (excess > 0)
    wi_cursor_skip(in, 2 * size - excess);
  while (wi_cursor_left(in) >= 2 * size && !in->failed) {
    uint32_t at = in->offset;
    uint64_t address = wi_dwarf_fixed(in, size);
    uint64_t length = wi_dwarf_fixed(in, size);
    wi_dwarf_set(out + at, size, wi_debug_address(d, address));
    wi_dwarf_set(out + at + size, size, wi_debug_size(d, address, length));
  }
}

void wi_debug_aranges(wi_debug *d) {
  wi_dwarf_bytes in = d->in.section[WI_DWARF_ARANGES];
  if (!in.data || !wi_debug_copy(d, WI_DWARF_ARANGES))
    return;
  wi_error error;
  wi_error_reset(&error);
  for (uint32_t start = 0; start < in.size;) {
    wi_cursor cursor = wi_dwarf_cursor(in, start, &error);
    move_aranges(d, &cursor, d->out[WI_DWARF_ARANGES].data);
    start = cursor.end;
    if (cursor.failed) {
      wi_debug_drop(d, WI_DWARF_ARANGES, &error);
      return;
    }
  }
}

/* ---- .debug_macro ------------------------------------------------------- */

enum { OFFSET_SIZE_FLAG = 1, LINE_FLAG = 2, OPERANDS_FLAG = 4 };

/* Operands of the standard opcodes: u LEB128, t text, o offset. */
static const char *const macro_operands[] = {"",  "ut", "ut", "uu", "",   "uo", "uo",
                                             "o", "uo", "uo", "o",  "uu", "uu"};

static void skip_macros(wi_cursor *in, unsigned offset_size) {
  for (uint8_t opcode; (opcode = wi_cursor_u8(in)) != 0;) {
    if (opcode >= sizeof macro_operands / sizeof *macro_operands) {
      wi_cursor_fail(in, WI_ERROR_UNSUPPORTED, in->offset, "unknown opcode of macros");
      return;
    }
    for (const char *operand = macro_operands[opcode]; *operand; operand++) {
      if (*operand == 'u')
        wi_dwarf_skip_leb(in);
      else if (*operand == 't')
        wi_dwarf_skip_text(in);
      else
        wi_cursor_skip(in, offset_size);
    }
  }
}

static void move_macros(wi_debug *d, wi_cursor *in, uint8_t *out) {
  uint64_t version = wi_dwarf_fixed(in, 2);
  uint8_t flags = wi_cursor_u8(in);
  unsigned offset_size = flags & OFFSET_SIZE_FLAG ? 8 : 4;
  if (!in->failed && (version < 4 || version > 5 || flags & OPERANDS_FLAG))
    wi_cursor_fail(in, WI_ERROR_UNSUPPORTED, in->offset, "unknown header of macros");
  uint32_t at = in->offset;
  if (flags & LINE_FLAG) {
    uint64_t offset = wi_dwarf_fixed(in, offset_size);
    const wi_debug_move *move = wi_debug_move_find(&d->lines, offset);
    if (!in->failed)
      wi_dwarf_set(out + at, offset_size, move ? move->to : wi_debug_empty_line_table(d));
  }
  skip_macros(in, offset_size);
}

void wi_debug_macro(wi_debug *d) {
  wi_dwarf_bytes in = d->in.section[WI_DWARF_MACRO];
  if (!in.data || !wi_debug_copy(d, WI_DWARF_MACRO))
    return;
  wi_error error;
  wi_error_reset(&error);
  wi_cursor cursor = wi_dwarf_cursor(in, 0, &error);
  while (cursor.offset < cursor.end)
    move_macros(d, &cursor, d->out[WI_DWARF_MACRO].data);
  if (cursor.failed)
    wi_debug_drop(d, WI_DWARF_MACRO, &error);
}
